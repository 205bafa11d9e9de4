package dev.election.redis;

import static java.util.stream.Collectors.joining;

import dev.election.redis.internal.requests.LuaScript;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The scripts of the protocol or of the ledgers, each preceded by the shared text.
 *
 * @param alone those for one election
 * @param together runs those that are {@linkplain ProtocolScript#isBatched batched} for several elections
 */
record ScriptSet(Map<? extends BatchedScript, LuaScript> alone, LuaScript together) {

    static final List<String> SHARED = List.of("server", "common");

    static ScriptSet load() {
        return of(LuaScript::source);
    }

    static ScriptSet load(AcknowledgingReplicas replicas) {
        return replicas.isAll() ? of(countingReplicas()) : load();
    }

    static ScriptSet of(UnaryOperator<String> source) {
        Map<ProtocolScript, LuaScript> alone = new EnumMap<>(ProtocolScript.class);
        for (ProtocolScript script : ProtocolScript.values()) {
            alone.put(script, new LuaScript(script.text(), alone(source, script)));
        }
        return new ScriptSet(alone, LuaScript.withTextFirst("together", together(source)));
    }

    /** The script that opens a ledger, and the one that opens several. */
    static ScriptSet ofLedgers() {
        String server = LuaScript.source("server");
        String open = LuaScript.source("ledger-open");
        return new ScriptSet(
                Map.of(LedgerScript.OPEN, new LuaScript("ledger-open", server + open)),
                LuaScript.withTextFirst(
                        "ledgers",
                        together(
                                LuaScript::source,
                                server + LuaScript.source("ledgers"),
                                function(LedgerScript.OPEN, "if is_late() then return {'later'} end\n" + open))));
    }

    /** Puts the granting scripts into replicas.lua, which adds to their reply how many replicas have to acknowledge the grant. */
    private static UnaryOperator<String> countingReplicas() {
        List<String> granting = Arrays.stream(ProtocolScript.values())
                .filter(ProtocolScript::isGranting)
                .map(ProtocolScript::text)
                .toList();
        return name -> {
            String text = LuaScript.source(name);
            return granting.contains(name)
                    ? "local function decide()\n" + text + "\nend\n" + LuaScript.source("replicas")
                    : text;
        };
    }

    /** The text of a script for one election. */
    static String alone(UnaryOperator<String> source, ProtocolScript script) {
        return shared(source) + own(source, script);
    }

    /**
     * The text of the script for several elections: the very lines of the scripts for one, as functions that see the keys and arguments of
     * one election each.
     */
    static String together(UnaryOperator<String> source) {
        return together(
                source,
                shared(source),
                Arrays.stream(ProtocolScript.values())
                        .filter(ProtocolScript::isBatched)
                        .map(script -> function(script, own(source, script)))
                        .collect(joining()));
    }

    private static String together(UnaryOperator<String> source, String shared, String functions) {
        return "local KEYS, ARGV, alone = KEYS, ARGV, {}\n" + shared + functions + source.apply("together");
    }

    private static String function(BatchedScript script, String text) {
        return "function alone." + script.text() + "()\n" + text + "\nend\n";
    }

    private static String own(UnaryOperator<String> source, ProtocolScript script) {
        String text = source.apply(script.text());
        return script.isOfMembers() ? source.apply("members") + text : text;
    }

    private static String shared(UnaryOperator<String> source) {
        return SHARED.stream().map(source).collect(joining());
    }

    LuaScript of(BatchedScript script) {
        return Objects.requireNonNull(alone.get(script));
    }
}
