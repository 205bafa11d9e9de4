package dev.election.redis;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The scripts of the protocol, each behind what they share.
 *
 * @param campaign campaign.lua
 * @param renew renew.lua
 * @param release release.lua
 * @param evict evict.lua
 * @param read read.lua
 */
record ScriptSet(LuaScript campaign, LuaScript renew, LuaScript release, LuaScript evict, LuaScript read) {

    static final String SHARED = "common";

    static final List<String> NAMES = List.of("campaign", "renew", "release", "evict", "read");

    static ScriptSet load() {
        return of(LuaScript::source);
    }

    static ScriptSet of(UnaryOperator<String> source) {
        String shared = source.apply(SHARED);
        List<LuaScript> scripts = NAMES.stream()
                .map(name -> new LuaScript(shared + source.apply(name)))
                .toList();
        return new ScriptSet(scripts.get(0), scripts.get(1), scripts.get(2), scripts.get(3), scripts.get(4));
    }
}
