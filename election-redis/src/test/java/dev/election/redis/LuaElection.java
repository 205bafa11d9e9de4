package dev.election.redis;

import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.ElectionRecord;
import dev.election.store.ElectionRecord.Epoch;
import dev.election.store.ElectionRecord.LastEviction;
import dev.election.store.ElectionRecord.Lease;
import dev.election.store.ElectionRecord.LockDelay;
import dev.election.store.ElectionRecord.Visitor;
import dev.election.store.ElectionRecord.Waiting;
import dev.election.store.EventText;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreMoment;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An election in the scripts, whose time and incarnation the test gives as arguments. Expiries of keys are left out, since the stored ends
 * decide; what is published is kept in a list.
 */
final class LuaElection {

    private static final String DUMP =
            """
            local events = redis.call('LRANGE', KEYS[10], 0, -1)
            redis.call('DEL', KEYS[10])
            local history = redis.call('TYPE', KEYS[6]).ok == 'list' and redis.call('LRANGE', KEYS[6], 0, -1) or {}
            return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2]), {redis.call('GET', KEYS[3]) or ''},
              redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES'), redis.call('ZRANGE', KEYS[5], 0, -1, 'WITHSCORES'),
              history, events}
            """;

    private final RedisCommands<String, String> redis;
    private final RedisAsyncCommands<String, String> pipeline;
    private final Map<String, String> digests;
    private final int remembered;
    private final Duration comeback;
    private final ElectionKeys keys = new ElectionKeys("difference");

    private String[] names = new String[0];
    private List<List<String>> dump = List.of();

    /**
     * Loads the scripts.
     *
     * @param source gives the text of a script by its name
     */
    LuaElection(
            StatefulRedisConnection<String, String> connection,
            UnaryOperator<String> source,
            int remembered,
            Duration comeback) {
        this.redis = connection.sync();
        this.pipeline = connection.async();
        this.remembered = remembered;
        this.comeback = comeback;
        this.digests = new HashMap<>();
        String shared = driven(source.apply(ScriptSet.SHARED));
        ScriptSet.NAMES.forEach(name -> digests.put(name, redis.scriptLoad(shared + driven(source.apply(name)))));
        digests.put("dump", redis.scriptLoad(DUMP));
    }

    /** From here on it is another election, and the server knows of no other. */
    void begin(String election) {
        redis.flushall();
        names = new String[10];
        System.arraycopy(keys.all(election), 0, names, 0, 6);
        names[9] = election + "-published";
    }

    CampaignReply campaign(CampaignRequest request, StoreMoment moment) {
        Duration unchanged = moment.incarnation().unchangedFor();
        return Replies.campaign(run(
                "campaign",
                moment,
                request.candidate().candidacy(),
                request.candidate().node().text(),
                millis(request.lease()),
                Long.toString(request.seen()),
                names[9],
                Integer.toString(remembered),
                millis(request.settle()),
                millis(request.settle().plus(comeback)),
                moment.incarnation().id() == null ? millis(unchanged) : "0"));
    }

    RenewReply renew(RenewRequest request, StoreMoment moment) {
        return Replies.renew(run(
                "renew",
                moment,
                request.candidate().candidacy(),
                request.candidate().node().text(),
                millis(request.lease()),
                request.token().toString(),
                Long.toString(request.since().toEpochMilli()),
                Long.toString(request.expiry().toEpochMilli()),
                names[9],
                Integer.toString(remembered)));
    }

    ReleaseReply release(ReleaseRequest request, StoreMoment moment) {
        ReleaseRequest.Grant grant = request.grant();
        return Replies.release(run(
                "release",
                moment,
                request.candidate().candidacy(),
                grant == null ? "" : grant.token().toString(),
                grant == null ? "0" : Long.toString(grant.expiry().toEpochMilli()),
                Objects.requireNonNullElse(request.successor(), ""),
                millis(request.reserve()),
                names[9],
                millis(request.lease()),
                request.reason().name()));
    }

    EvictReply evict(EvictRequest request, StoreMoment moment) {
        return Replies.evict(run(
                "evict",
                moment,
                request.token().toString(),
                Objects.requireNonNullElse(request.successor(), ""),
                millis(request.reserve()),
                names[9],
                millis(request.cooldown())));
    }

    ReadReply read(StoreMoment moment) {
        return Replies.read(run("read", moment));
    }

    /** What the keys say after the last request. */
    ElectionRecord record() {
        return new ElectionRecord(
                lease(map(dump.get(0))),
                epoch(map(dump.get(1))),
                lockDelay(dump.get(2).get(0)),
                queue(dump.get(3), map(dump.get(4))),
                Replies.history(dump.get(5)));
    }

    /** What the last request has published. */
    List<StoreEvent> events() {
        return dump.get(6).stream().map(LuaElection::event).toList();
    }

    /** The keys are as a record says. */
    void write(ElectionRecord record) {
        redis.flushall();
        Lease lease = record.lease();
        if (lease != null) {
            Map<String, String> fields = new HashMap<>(Map.of(
                    "candidacy", lease.candidacy(),
                    "node", lease.node().text(),
                    "token", Long.toString(lease.token()),
                    "since", Long.toString(lease.since()),
                    "lease", Long.toString(lease.length()),
                    "until", Long.toString(lease.ends())));
            Visitor visitor = lease.visitor();
            if (visitor != null) {
                fields.putAll(Map.of("other", visitor.application(), "other-until", Long.toString(visitor.until())));
            }
            redis.hset(names[0], fields);
        }
        Epoch epoch = record.epoch();
        if (epoch != null) {
            redis.hset(names[1], fields(epoch));
        }
        LockDelay delay = record.lockDelay();
        if (delay != null) {
            redis.set(names[2], delay.ends() + " " + delay.length() + " " + delay.why());
        }
        for (Waiting waiting : record.queue()) {
            redis.zadd(names[3], waiting.joined(), waiting.candidacy());
            redis.zadd(names[4], waiting.gone(), waiting.candidacy());
        }
        record.history().forEach(past -> redis.rpush(names[5], text(past)));
    }

    /** A key holds a value of another kind. */
    void spoil(int key) {
        redis.del(names[key]);
        if (key == 2) {
            redis.hset(names[key], "spoilt", "yes");
        } else {
            redis.set(names[key], "spoilt");
        }
    }

    private static Map<String, String> fields(Epoch epoch) {
        Map<String, String> fields = new HashMap<>(Map.of(
                "token", Long.toString(epoch.token()),
                "closed", Long.toString(epoch.closed()),
                "incarnation", epoch.incarnation(),
                "format", "1"));
        if (epoch.ends() > 0) {
            fields.put("until", Long.toString(epoch.ends()));
            fields.put("lease", Long.toString(epoch.length()));
        }
        LastEviction eviction = epoch.eviction();
        if (eviction != null) {
            fields.put("evicted", Long.toString(eviction.token()));
            fields.put("cooldown", Long.toString(eviction.cooldown().toMillis()));
        }
        return fields;
    }

    private List<String> run(String script, StoreMoment moment, String... arguments) {
        String id = moment.incarnation().id();
        names[6] = Long.toString(moment.millis());
        names[7] = id == null ? "" : id;
        names[8] = id == null
                ? "0"
                : Long.toString(moment.incarnation().unchangedFor().toMillis());
        RedisFuture<List<String>> reply =
                pipeline.evalsha(digests.get(script), ScriptOutputType.MULTI, names, arguments);
        RedisFuture<List<List<String>>> after = pipeline.evalsha(digests.get("dump"), ScriptOutputType.MULTI, names);
        LettuceFutures.awaitAll(Duration.ofSeconds(30), reply, after);
        dump = after.toCompletableFuture().isCompletedExceptionally()
                ? List.of()
                : after.toCompletableFuture().join();
        try {
            return reply.toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw (RuntimeException) failure.getCause();
        }
    }

    private static String driven(String script) {
        return script.replaceAll("(?m)^local now = .*$", "local now = tonumber(KEYS[7])")
                .replaceAll("(?m)= read_incarnation\\(\\)$", "= KEYS[8] ~= '' and KEYS[8] or nil, tonumber(KEYS[9])")
                .replaceAll("(?m)^ *redis.call\\('PEXPIRE', .*$", "")
                .replace("redis.pcall('PUBLISH', channel,", "redis.call('RPUSH', KEYS[10],");
    }

    private static @Nullable Lease lease(Map<String, String> fields) {
        if (fields.isEmpty()) {
            return null;
        }
        String other = fields.get("other");
        return new Lease(
                fields.get("candidacy"),
                NodeInfo.parse(fields.get("node")),
                number(fields, "token"),
                number(fields, "since"),
                number(fields, "until"),
                number(fields, "lease"),
                other == null ? null : new Visitor(other, number(fields, "other-until")));
    }

    private static @Nullable Epoch epoch(Map<String, String> fields) {
        if (!fields.containsKey("token")) {
            return null;
        }
        String evicted = fields.get("evicted");
        return new Epoch(
                number(fields, "token"),
                number(fields, "closed"),
                number(fields, "until"),
                number(fields, "lease"),
                fields.getOrDefault("incarnation", ""),
                evicted == null
                        ? null
                        : new LastEviction(Long.parseLong(evicted), Duration.ofMillis(number(fields, "cooldown"))));
    }

    private static @Nullable LockDelay lockDelay(String text) {
        String[] part = text.split(" ", 3);
        return text.isEmpty() ? null : new LockDelay(Long.parseLong(part[0]), Long.parseLong(part[1]), part[2]);
    }

    private static List<Waiting> queue(List<String> joined, Map<String, String> gone) {
        List<Waiting> queue = new ArrayList<>();
        for (int i = 0; i < joined.size(); i += 2) {
            String candidacy = joined.get(i);
            queue.add(new Waiting(candidacy, score(joined.get(i + 1)), score(gone.get(candidacy))));
        }
        return queue;
    }

    private static String text(LeadershipRecord past) {
        Leader leader = past.leader();
        Instant until = past.until();
        LossReason reason = past.reason();
        return String.join(
                "\n",
                leader.token().toString(),
                Long.toString(leader.since().toEpochMilli()),
                until == null ? "" : Long.toString(until.toEpochMilli()),
                reason == null ? "" : reason.name(),
                new NodeInfo(leader.node(), leader.address()).text());
    }

    private static StoreEvent event(String text) {
        return EventText.read(text).orElseThrow(() -> new IllegalArgumentException("Not an event: " + text));
    }

    private static Map<String, String> map(List<String> pairs) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            map.put(pairs.get(i), pairs.get(i + 1));
        }
        return map;
    }

    private static long number(Map<String, String> fields, String name) {
        String text = fields.get(name);
        return text == null ? 0 : Long.parseLong(text);
    }

    private static long score(String text) {
        return (long) Double.parseDouble(text);
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
