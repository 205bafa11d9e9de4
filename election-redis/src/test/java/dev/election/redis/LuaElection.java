package dev.election.redis;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.record.ElectionRecord;
import dev.election.record.ElectionRecord.Epoch;
import dev.election.record.ElectionRecord.LastEviction;
import dev.election.record.ElectionRecord.Lease;
import dev.election.record.ElectionRecord.LockDelay;
import dev.election.record.ElectionRecord.Reason;
import dev.election.record.ElectionRecord.Visitor;
import dev.election.record.ElectionRecord.Waiting;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.EventText;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.PastLeader;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreMoment;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An election in the scripts, whose time and incarnation the test gives as arguments. Expiries of keys are left out, since the stored ends
 * decide; what is published is kept in a list. Half of the elections ask alone, the others in one script with two elections more, one of which
 * is broken. Requests are sent together, once the answer to one of them is asked for.
 */
final class LuaElection {

    private static final int KEYS = 6;
    private static final long LONGEST_SECONDS = 30;

    private static final String DUMP =
            """
            local types = {}
            local function read(i, type, command, ...)
              types[i] = redis.call('TYPE', KEYS[i]).ok
              return types[i] == type and redis.call(command, KEYS[i], ...) or {}
            end
            local reply = {read(1, 'hash', 'HGETALL'), read(2, 'hash', 'HGETALL'), read(3, 'string', 'MGET'),
              read(4, 'zset', 'ZRANGE', 0, -1, 'WITHSCORES'), read(5, 'zset', 'ZRANGE', 0, -1, 'WITHSCORES'),
              read(6, 'list', 'LRANGE', 0, -1), types, redis.call('LRANGE', KEYS[7], 0, -1), redis.call('LRANGE', KEYS[8], 0, -1)}
            redis.call('DEL', KEYS[7], KEYS[8])
            return reply
            """;

    /** Beside the keys of an election. */
    private static final int PUBLISHED = KEYS;

    private static final int OBSERVED = KEYS + 1;

    /** What a guard says that only a script has, and whether it refuses, goes into a key beside that of the lease. */
    private static final String OBSERVE = "local function observed(guard, passes)"
            + " redis.call('RPUSH', KEYS[1] .. '-observed', guard, tostring(not passes)) return passes end";

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> pipeline;
    private final Map<ProtocolScript, String> digests;
    private final String togetherDigest;
    private final String dumpDigest;
    private final int remembered;
    private final ElectionKeys keys = new ElectionKeys("difference");

    private final String[] poisoned = keys.all("poisoned");
    private final String[] neighbour = keys.all("neighbour");

    private boolean together;
    private int place;
    private String[] names = new String[0];

    /**
     * Loads the scripts.
     *
     * @param source gives the text of a script by its name
     */
    LuaElection(StatefulRedisConnection<String, String> connection, UnaryOperator<String> source, int remembered) {
        this.connection = connection;
        this.pipeline = connection.async();
        this.remembered = remembered;
        this.digests = new EnumMap<>(ProtocolScript.class);
        connection.setAutoFlushCommands(true);
        RedisCommands<String, String> redis = connection.sync();
        for (ProtocolScript script : ProtocolScript.values()) {
            digests.put(script, redis.scriptLoad(driven(ScriptSet.alone(source, script))));
        }
        this.togetherDigest = redis.scriptLoad(driven(ScriptSet.together(source)));
        this.dumpDigest = redis.scriptLoad(DUMP);
        // Sent when an answer is awaited: a request by itself costs the client and the server many times as much.
        connection.setAutoFlushCommands(false);
    }

    /** From here on it is another election, and the server knows of no other. */
    void begin(String election, boolean inBatch) {
        pipeline.flushdb();
        together = inBatch;
        names = Arrays.copyOf(keys.all(election), KEYS + 2);
        names[PUBLISHED] = election + "-published";
        names[OBSERVED] = keys.lease(election) + "-observed";
    }

    Answer<CampaignReply> campaign(CampaignRequest request, StoreMoment moment) {
        Duration unchanged = moment.incarnation().unchangedFor();
        return ask(
                Replies::campaign,
                ProtocolScript.CAMPAIGN,
                moment,
                request.candidate().candidacy(),
                request.candidate().node().text(),
                millis(request.lease()),
                Long.toString(request.seen()),
                names[PUBLISHED],
                Integer.toString(remembered),
                request.settle() == null ? "" : millis(request.settle()),
                moment.incarnation().id() == null ? millis(unchanged) : "0");
    }

    Answer<RenewReply> renew(RenewRequest request, StoreMoment moment) {
        return ask(
                Replies::renew,
                ProtocolScript.RENEW,
                moment,
                request.candidate().candidacy(),
                request.candidate().node().text(),
                millis(request.lease()),
                request.token().toString(),
                Long.toString(request.since().toEpochMilli()),
                Long.toString(request.expiry().toEpochMilli()),
                names[PUBLISHED],
                Integer.toString(remembered));
    }

    Answer<ReleaseReply> release(ReleaseRequest request, StoreMoment moment) {
        ReleaseRequest.Grant grant = request.grant();
        return ask(
                Replies::release,
                ProtocolScript.RELEASE,
                moment,
                request.candidate().candidacy(),
                grant == null ? "" : grant.token().toString(),
                grant == null ? "0" : Long.toString(grant.expiry().toEpochMilli()),
                Objects.requireNonNullElse(request.successor(), ""),
                millis(request.reserve()),
                names[PUBLISHED],
                millis(request.lease()),
                request.reason().name(),
                Objects.requireNonNullElse(request.how().requestedBy(), ""));
    }

    Answer<EvictReply> evict(EvictRequest request, StoreMoment moment) {
        return ask(
                Replies::evict,
                ProtocolScript.EVICT,
                moment,
                request.token().toString(),
                Objects.requireNonNullElse(request.successor(), ""),
                millis(request.reserve()),
                names[PUBLISHED],
                millis(request.cooldown()),
                Objects.requireNonNullElse(request.how().requestedBy(), ""));
    }

    Answer<ReadReply> read(StoreMoment moment) {
        return ask(Replies::read, ProtocolScript.READ, moment);
    }

    /** The keys are as a record says. */
    void write(ElectionRecord record) {
        // Refused or not, what is asked next comes after all of it.
        pipeline.flushdb();
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
            pipeline.hset(names[0], fields);
        }
        Epoch epoch = record.epoch();
        if (epoch != null) {
            pipeline.hset(names[1], fields(epoch));
        }
        LockDelay delay = record.lockDelay();
        if (delay != null) {
            pipeline.set(
                    names[2],
                    delay.ends() + " " + delay.length() + " " + delay.why().text());
        }
        for (Waiting waiting : record.queue()) {
            pipeline.zadd(names[3], waiting.joined(), waiting.candidacy());
            pipeline.zadd(names[4], waiting.gone(), waiting.candidacy());
        }
        record.history().forEach(past -> pipeline.rpush(names[5], text(past)));
    }

    /** A key that is not there holds a value of another type from now on. */
    void spoil(SpoiltKey key) {
        String name = names[key.ordinal()];
        if (key.type().equals("string")) {
            pipeline.hset(name, "spoilt", "yes");
        } else {
            pipeline.set(name, "spoilt");
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

    private <T> Answer<T> ask(
            Function<List<String>, T> reading, ProtocolScript script, StoreMoment moment, String... arguments) {
        boolean inBatch = together && script.isBatched();
        place = (place + 1) % 3;
        int own = place;
        return new Answer<>(
                inBatch ? inBatch(script, moment, arguments) : alone(script, moment, arguments),
                inBatch ? replies -> reading.apply(ofThis(replies, own)) : reading,
                pipeline.evalsha(dumpDigest, ScriptOutputType.MULTI, names));
    }

    /** What the scripts have answered, and what the request has left behind. */
    final class Answer<T> {

        private final RedisFuture<List<String>> reply;
        private final Function<List<String>, T> reading;
        private final RedisFuture<List<List<String>>> dump;

        private Answer(
                RedisFuture<List<String>> reply,
                Function<List<String>, T> reading,
                RedisFuture<List<List<String>>> dump) {
            this.reply = reply;
            this.reading = reading;
            this.dump = dump;
        }

        /** The reply; throws what Redis has refused the request with. */
        T reply() {
            return reading.apply(result(reply));
        }

        /** The keys after the request. */
        Keys keys() {
            return new Keys(result(dump));
        }
    }

    /**
     * What the keys of the election say, and those beside them.
     *
     * @param all a list for each key of the election, then the types of these, then a list for each key beside them
     */
    record Keys(List<List<String>> all) {

        /** Those that hold a value of another type. */
        Set<SpoiltKey> spoilt() {
            List<String> types = all.get(KEYS);
            return Arrays.stream(SpoiltKey.values())
                    .filter(key -> !Set.of("none", key.type()).contains(types.get(key.ordinal())))
                    .collect(toSet());
        }

        /** Without those of another type. */
        ElectionRecord record() {
            return new ElectionRecord(
                    lease(map(all.get(0))),
                    epoch(map(all.get(1))),
                    lockDelay(String.join("", all.get(2))),
                    queue(all.get(3), map(all.get(4))),
                    Replies.history(all.get(5)));
        }

        /** What the request has published. */
        List<StoreEvent> events() {
            return all.get(KEYS + 1).stream().map(LuaElection::event).toList();
        }

        /** Counts what the guards have said that only the script of a renewal has. */
        void countGuards(GuardCounts guards) {
            map(all.get(KEYS + 2))
                    .forEach((guard, refuses) -> guards.add("renew " + guard, Boolean.parseBoolean(refuses)));
        }
    }

    private <R> R result(RedisFuture<R> future) {
        if (!future.isDone()) {
            connection.flushCommands();
        }
        try {
            return future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw (RedisCommandExecutionException) refused.getCause();
        } catch (InterruptedException | TimeoutException failure) {
            throw new IllegalStateException("Redis has not answered", failure);
        }
    }

    private RedisFuture<List<String>> alone(ProtocolScript script, StoreMoment moment, String... arguments) {
        return pipeline.evalsha(
                digests.get(script),
                ScriptOutputType.MULTI,
                Arrays.copyOf(names, KEYS),
                with(moment, List.of(arguments)));
    }

    /** The neighbour is asked the same. */
    private RedisFuture<List<String>> inBatch(ProtocolScript script, StoreMoment moment, String... arguments) {
        pipeline.set(poisoned[1], "of another type");
        List<String[]> elections = new ArrayList<>(List.of(poisoned, neighbour));
        elections.add(place, Arrays.copyOf(names, KEYS));
        String[] others = Arrays.stream(arguments)
                .map(argument -> argument.equals(names[PUBLISHED]) ? "published-by-others" : argument)
                .toArray(String[]::new);
        BatchArguments all = new BatchArguments(elections.size());
        for (String[] election : elections) {
            all.add(script.text(), election == poisoned || election == neighbour ? others : arguments);
        }
        return pipeline.evalsha(
                togetherDigest,
                ScriptOutputType.MULTI,
                elections.stream().flatMap(Arrays::stream).toArray(String[]::new),
                with(moment, all.all()));
    }

    private static List<String> ofThis(List<String> replies, int place) {
        List<List<String>> found = new ArrayList<>();
        for (int i = 1; i < replies.size(); i += 1 + Integer.parseInt(replies.get(i))) {
            found.add(replies.subList(i + 1, i + 1 + Integer.parseInt(replies.get(i))));
        }
        List<String> own = found.remove(place);
        assertThat(found).hasSize(2);
        assertThat(found.get(0).get(0)).as("of the broken election").isEqualTo("error");
        assertThat(found.get(1).get(0)).as("of the neighbour").isNotEqualTo("error");
        if (own.get(0).equals("error")) {
            throw new RedisCommandExecutionException(own.get(1));
        }
        return own;
    }

    private static String[] with(StoreMoment moment, List<String> arguments) {
        String id = moment.incarnation().id();
        List<String> all = new ArrayList<>(arguments);
        all.add(Long.toString(moment.millis()));
        all.add(id == null ? "" : id);
        all.add(id == null ? "0" : millis(moment.incarnation().unchangedFor()));
        return all.toArray(String[]::new);
    }

    /** A script whose last three arguments are the time, the incarnation and its age, and which publishes into lists. */
    static String driven(String script) {
        return script.replaceAll(
                        "(?m)^local now = .*$",
                        "local now, id, age = tonumber(ARGV[#ARGV - 2]), ARGV[#ARGV - 1], tonumber(ARGV[#ARGV])\n"
                                + OBSERVE)
                .replaceAll("(?m)^( *and) (.*) -- guard: (unchanged_\\w+)$", "$1 observed('$3', $2)")
                .replace("if is_as_left() then", "if observed('is_as_left', is_as_left()) then")
                .replaceAll("(?m)or \\{ask_incarnation\\(\\)\\}$", "or {id ~= '' and id or nil, age}")
                .replaceAll("(?m)^ *redis.call\\('PEXPIRE', .*$", "")
                .replace("redis.pcall('PUBLISH', channel,", "redis.call('RPUSH', channel,");
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
        return text.isEmpty()
                ? null
                : new LockDelay(Long.parseLong(part[0]), Long.parseLong(part[1]), Reason.of(part[2]));
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
                PastLeader.text(new NodeInfo(leader.node(), leader.address()), past.requestedBy()));
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
