package dev.election.benchmarks;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often Redis has executed each command. It counts those that scripts call, too: they can be left out where no client sends them by
 * itself.
 */
final class CommandCount {

    /** Count of a server that has executed nothing. */
    static final CommandCount NONE = new CommandCount();

    private static final Pattern INNER = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");
    private static final Pattern LINE = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

    private final Map<String, Long> calls = new TreeMap<>();

    private CommandCount() {}

    /** Counts for a while, over a connection that sends nothing else meanwhile. */
    static CommandCount during(RedisCommands<String, String> redis, Duration time) {
        CommandCount before = ofAll(redis);
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return ofAll(redis).since(before);
    }

    /** Counts the commands that came after an earlier count. */
    CommandCount since(CommandCount before) {
        CommandCount count = new CommandCount();
        count.calls.putAll(calls);
        count.calls.replaceAll((command, calls) -> calls - before.calls.getOrDefault(command, 0L));
        count.calls.values().removeIf(calls -> calls == 0);
        return count;
    }

    /** Counts all commands since the server has started. */
    static CommandCount ofAll(RedisCommands<String, String> redis) {
        CommandCount count = new CommandCount();
        Matcher line = LINE.matcher(redis.info("commandstats"));
        while (line.find()) {
            count.calls.put(line.group(1).toUpperCase(Locale.ROOT), Long.parseLong(line.group(2)));
        }
        return count;
    }

    /** Counts of the commands that clients sent, without the {@code INFO} of the observer and the given ones. */
    Map<String, Long> without(Set<String> calledByScripts) {
        Map<String, Long> sent = new TreeMap<>(calls);
        sent.keySet().removeAll(calledByScripts);
        sent.remove("INFO");
        return sent;
    }

    /** Commands that the scripts of this library call, none of which it sends by itself. */
    static Set<String> calledByOurScripts() {
        Set<String> commands = new HashSet<>();
        for (String script : new String[] {"common", "campaign", "renew", "release", "together"}) {
            Matcher call = INNER.matcher(text("/META-INF/election/redis/" + script + ".lua"));
            while (call.find()) {
                commands.add(call.group(1));
            }
        }
        return commands;
    }

    private static String text(String resource) {
        try (InputStream in = CommandCount.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("No " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
