package dev.election.redis;

import static java.util.stream.Collectors.joining;

import dev.election.redis.connection.LuaScript;
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
 * @param together runs those of {@link #TOGETHER} for several elections
 */
record ScriptSet(
        LuaScript campaign, LuaScript renew, LuaScript release, LuaScript evict, LuaScript read, LuaScript together) {

    static final List<String> SHARED = List.of("server", "common");

    static final List<String> NAMES = List.of("campaign", "renew", "release", "evict", "read");

    /** What every node asks of all its elections. */
    static final List<String> TOGETHER = List.of("campaign", "renew", "release");

    /** Whose success makes or keeps a leader. */
    static final List<String> GRANTING = List.of("campaign", "renew");

    static ScriptSet load() {
        return of(LuaScript::source);
    }

    static ScriptSet load(AcknowledgingReplicas replicas) {
        return replicas.isAll() ? of(ScriptSet::countingReplicas) : load();
    }

    static ScriptSet of(UnaryOperator<String> source) {
        List<LuaScript> alone = NAMES.stream()
                .map(name -> new LuaScript(name, alone(source, name)))
                .toList();
        return new ScriptSet(
                alone.get(0),
                alone.get(1),
                alone.get(2),
                alone.get(3),
                alone.get(4),
                LuaScript.withTextFirst("together", together(source)));
    }

    /** The text of that name, with how many replicas have to acknowledge what it grants. */
    private static String countingReplicas(String name) {
        String text = LuaScript.source(name);
        return GRANTING.contains(name)
                ? "local function decide()\n" + text + "\nend\n" + LuaScript.source("replicas")
                : text;
    }

    /** The text of a script for one election. */
    static String alone(UnaryOperator<String> source, String name) {
        return shared(source) + source.apply(name);
    }

    /** The text of the script for several elections: the very lines of those for one, which see the keys and arguments of theirs. */
    static String together(UnaryOperator<String> source) {
        return "local KEYS, ARGV, alone = KEYS, ARGV, {}\n"
                + shared(source)
                + TOGETHER.stream()
                        .map(name -> "function alone." + name + "()\n" + source.apply(name) + "\nend\n")
                        .collect(joining())
                + source.apply("together");
    }

    private static String shared(UnaryOperator<String> source) {
        return SHARED.stream().map(source).collect(joining());
    }
}
