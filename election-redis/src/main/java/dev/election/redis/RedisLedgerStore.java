package dev.election.redis;

import dev.election.FencingToken;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The ledgers in Redis, one hash for each election. */
final class RedisLedgerStore implements LedgerStore {

    private final RedisRequests requests;
    private final LedgerOpenings openings;
    private final ElectionKeys keys;
    private final UnaryOperator<String> key;
    private final LuaScript write = script("ledger-write", "");
    private final LuaScript restore =
            script("ledger-restore", "local function write()\n" + LuaScript.source("ledger-write") + "end\n");
    private final LuaScript read = LuaScript.load("ledger-read");
    private final LuaScript check = LuaScript.load("ledger-check");

    private final BiFunction<String, Consumer<StoreEvent>, LeaseStore.Subscription> events;

    RedisLedgerStore(
            RedisRequests requests,
            LedgerOpenings openings,
            ElectionKeys keys,
            BiFunction<String, Consumer<StoreEvent>, LeaseStore.Subscription> events) {
        this(requests, openings, keys, keys::ledger, events);
    }

    private RedisLedgerStore(
            RedisRequests requests,
            LedgerOpenings openings,
            ElectionKeys keys,
            UnaryOperator<String> key,
            BiFunction<String, Consumer<StoreEvent>, LeaseStore.Subscription> events) {
        this.requests = requests;
        this.openings = openings;
        this.keys = keys;
        this.key = key;
        this.events = events;
    }

    private static LuaScript script(String name, String functions) {
        return new LuaScript(name, LuaScript.source("server") + functions + LuaScript.source(name));
    }

    @Override
    public CompletionStage<OpenReply> open(String election, FencingToken token) {
        return openings.open(election, key.apply(election), token.toString(), Long.toString(AFTER_A_LOSS.toMillis()))
                .thenApply(RedisLedgerStore::opened)
                .exceptionally(failure -> noAnswer(election, failure));
    }

    @Override
    public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
        return write(election, write, arguments(token, change));
    }

    @Override
    public CompletionStage<WriteReply> restore(
            String election, FencingToken token, Change change, Instant intactSince) {
        List<String> arguments = arguments(token, change);
        arguments.add(Long.toString(Math.max(0, intactSince.toEpochMilli())));
        return write(election, restore, arguments);
    }

    private static List<String> arguments(FencingToken token, Change change) {
        List<String> arguments = new ArrayList<>();
        arguments.add(token.toString());
        arguments.add(change.until() == null ? "" : Long.toString(change.until().toEpochMilli()));
        arguments.add(Integer.toString(change.removed().size()));
        arguments.add(Integer.toString(change.stamped().size()));
        arguments.addAll(change.removed());
        arguments.addAll(change.stamped());
        change.put().forEach((name, value) -> {
            arguments.add(name);
            arguments.add(value);
        });
        return arguments;
    }

    private CompletionStage<WriteReply> write(String election, LuaScript script, List<String> arguments) {
        return requests.run(
                        keys.lease(election),
                        script,
                        new String[] {key.apply(election)},
                        arguments.toArray(String[]::new))
                .thenApply(RedisLedgerStore::written)
                .exceptionally(failure -> noAnswer(election, failure));
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return requests.run(keys.lease(election), read, new String[] {key.apply(election)})
                .<ReadReply>thenApply(reply -> new Contents(entries(reply, 0)))
                .exceptionally(failure -> noAnswer(election, failure));
    }

    @Override
    public LedgerStore beside(String name) {
        return new RedisLedgerStore(requests, openings, keys, election -> key.apply(election) + "-" + name, events);
    }

    @Override
    public CompletionStage<CheckReply> check(String election) {
        return requests.run(keys.lease(election), check, new String[] {key.apply(election)})
                .<CheckReply>thenApply(reply -> new Usable())
                .exceptionally(failure -> noAnswer(election, failure));
    }

    @Override
    public LeaseStore.Subscription listen(String election, Runnable reconnected) {
        return events.apply(election, event -> {
            if (event instanceof StoreEvent.Connected) {
                reconnected.run();
            }
        });
    }

    /** Names the key of the ledger in the action, since the leases have others. */
    private NoAnswer noAnswer(String election, Throwable failure) {
        NoAnswer answer = Failures.noAnswer(failure);
        String own = key.apply(election);
        String action =
                switch (answer.problem()) {
                    case FORBIDDEN -> "grant the Redis user HGET, HSET, HGETALL and HDEL on the key " + own;
                    case WRONG_TYPE -> "delete the key " + own + " or choose another key prefix";
                    default -> answer.action();
                };
        return new NoAnswer(answer.problem(), answer.detail(), action);
    }

    private static OpenReply opened(List<String> reply) {
        if (reply.get(0).equals("superseded")) {
            return new Superseded();
        }
        return new Opened(
                entries(reply, 3),
                reply.get(0).equals("known"),
                Duration.ofMillis(Long.parseLong(reply.get(1))),
                time(reply.get(2)));
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }

    private static Map<String, String> entries(List<String> reply, int from) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int i = from; i < reply.size(); i += 2) {
            entries.put(reply.get(i), reply.get(i + 1));
        }
        return entries;
    }

    private static WriteReply written(List<String> reply) {
        return switch (reply.get(0)) {
            case "written" -> new Written(time(reply.get(1)));
            case "late" -> new TooLate(time(reply.get(1)));
            case "forgotten" -> new Forgotten();
            case "superseded" -> new Superseded();
            default -> throw new IllegalArgumentException("Not a reply to a write to a ledger: " + reply);
        };
    }
}
