package dev.election.benchmarks;

import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How long Redis was busy with a single script. */
final class LongestScript {

    /** Shorter ones are not told from each other. */
    private static final long SHORTEST_MICROS = 100;

    private LongestScript() {}

    /** The longest script that runs within that time from now on, in microseconds; 0 if all of them are short. */
    static long watch(ObservedRedis redis, Duration time) throws InterruptedException {
        redis.observe(commands -> {
            commands.configSet("slowlog-max-len", "100000");
            commands.configSet("slowlog-log-slower-than", Long.toString(SHORTEST_MICROS));
            return commands.slowlogReset();
        });
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        return redis.observe(LongestScript::longest);
    }

    static String text(long micros) {
        return micros == 0 ? "< " + SHORTEST_MICROS + " us" : micros + " us";
    }

    private static long longest(RedisCommands<String, String> commands) {
        commands.configSet("slowlog-log-slower-than", "-1");
        return commands.slowlogGet(100_000).stream()
                .map(entry -> (List<?>) entry)
                .filter(entry -> isScript((List<?>) entry.get(3)))
                .mapToLong(entry -> (Long) entry.get(2))
                .max()
                .orElse(0);
    }

    private static boolean isScript(List<?> command) {
        String name = command.get(0).toString().toLowerCase(Locale.ROOT);
        return name.startsWith("eval") || name.startsWith("fcall");
    }
}
