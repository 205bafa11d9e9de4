package dev.election.benchmarks;

import io.lettuce.core.api.sync.RedisCommands;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Traffic on the connections of Redis since its start.
 *
 * @param in bytes from clients
 * @param out bytes to clients
 * @param hellos how many connections have introduced themselves
 */
record Traffic(long in, long out, long hellos) {

    static Traffic read(ObservedRedis redis) {
        return redis.observe(Traffic::read);
    }

    /** Traffic since an earlier reading, with the few hundred bytes of the observer but without its introduction. */
    Traffic since(Traffic before) {
        return new Traffic(in - before.in, out - before.out, hellos - before.hellos - 1);
    }

    static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f MB", bytes / 1e6);
    }

    static Traffic read(RedisCommands<String, String> redis) {
        String stats = redis.info("stats");
        return new Traffic(
                number(stats, "total_net_input_bytes:(\\d+)"),
                number(stats, "total_net_output_bytes:(\\d+)"),
                number(redis.info("commandstats"), "cmdstat_hello:calls=(\\d+)"));
    }

    private static long number(String info, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(info);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
