package dev.election.redis;

import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.MemberNews;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The members in the scripts, whose time and incarnation the test gives as arguments, and which do so little at once that each limit is met. */
final class LuaMembers {

    private static final List<String> NAMES = List.of("roster", "texts", "ends", "versions", "gone");

    private static final String DUMP =
            """
            local reply = {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2])}
            for i = 3, 5 do
              reply[i] = redis.call('ZRANGE', KEYS[i], 0, -1, 'WITHSCORES')
            end
            reply[6] = redis.call('LRANGE', KEYS[6], 0, -1)
            redis.call('DEL', KEYS[6])
            return reply
            """;

    private final RedisCommands<String, String> redis;
    private final String[] keys = new ElectionKeys("difference").members();
    private final String channel = "published";
    private final String beat;
    private final String leave;

    /**
     * Loads the scripts.
     *
     * @param source gives the text of a script by its name
     */
    LuaMembers(StatefulRedisConnection<String, String> connection, UnaryOperator<String> source) {
        this.redis = connection.sync();
        this.beat = redis.scriptLoad(driven(source, ProtocolScript.BEAT));
        this.leave = redis.scriptLoad(driven(source, ProtocolScript.LEAVE));
    }

    private static String driven(UnaryOperator<String> source, ProtocolScript script) {
        return LuaElection.driven(ScriptSet.alone(source, script))
                .replaceFirst("MOST_AT_ONCE = \\d+", "MOST_AT_ONCE = 3")
                .replaceFirst("MOST_GONE = \\d+", "MOST_GONE = 4")
                .replaceFirst("BYTES_OF_A_REPLY = \\d+", "BYTES_OF_A_REPLY = 200");
    }

    void begin() {
        redis.flushdb();
    }

    void lose(String key) {
        redis.del(keys[NAMES.indexOf(key)]);
    }

    BeatReply beat(BeatRequest request, long now, String incarnation) {
        return RedisMembers.beaten(run(
                beat,
                request.instance(),
                request.text(),
                Long.toString(request.expiresAfter().toMillis()),
                request.known().roster(),
                Long.toString(request.known().number()),
                Long.toString(request.known().begun()),
                channel,
                Long.toString(now),
                incarnation,
                "0"));
    }

    void leave(String instance, long now, String incarnation) {
        run(leave, instance, channel, Long.toString(now), incarnation, "0");
    }

    private List<String> run(String digest, String... arguments) {
        return redis.evalsha(digest, ScriptOutputType.MULTI, keys, arguments);
    }

    /** What a request has left behind. */
    Left left() {
        String[] all = Arrays.copyOf(keys, keys.length);
        all[NAMES.size()] = channel;
        List<List<String>> dump = redis.eval(DUMP, ScriptOutputType.MULTI, all);
        Map<String, Map<String, String>> found = new TreeMap<>();
        for (int i = 0; i < NAMES.size(); i++) {
            Map<String, String> pairs = new TreeMap<>();
            for (int at = 0; at < dump.get(i).size(); at += 2) {
                pairs.put(dump.get(i).get(at), dump.get(i).get(at + 1));
            }
            found.put(NAMES.get(i), pairs);
        }
        return new Left(
                found,
                dump.get(NAMES.size()).stream()
                        .map(MemberNewsText::read)
                        .flatMap(news -> Stream.of(news.orElseThrow()))
                        .toList());
    }

    /**
     * What a request has left behind.
     *
     * @param keys what each key holds
     * @param published what it has published
     */
    record Left(Map<String, Map<String, String>> keys, List<MemberNews> published) {}
}
