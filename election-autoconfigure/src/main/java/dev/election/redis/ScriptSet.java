package dev.election.redis;

/**
 * The scripts of the protocol.
 *
 * @param campaign campaign.lua
 * @param renew renew.lua
 * @param release release.lua
 */
record ScriptSet(LuaScript campaign, LuaScript renew, LuaScript release) {

    static ScriptSet load() {
        return new ScriptSet(LuaScript.load("campaign"), LuaScript.load("renew"), LuaScript.load("release"));
    }
}
