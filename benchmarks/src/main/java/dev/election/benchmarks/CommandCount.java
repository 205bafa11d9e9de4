package dev.election.benchmarks;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often Redis has executed each command that a client sent. Redis counts the commands inside scripts too: those that the
 * scripts of the library call are left out, and the library sends none of them by itself.
 */
final class CommandCount {

    private static final Pattern INNER = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");
    private static final Pattern LINE = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

    private final Map<String, Long> calls = new TreeMap<>();

    private CommandCount() {}

    static CommandCount read(RedisCommands<String, String> redis) {
        Set<String> inner = inner();
        CommandCount count = new CommandCount();
        Matcher line = LINE.matcher(redis.info("commandstats"));
        while (line.find()) {
            if (!inner.contains(line.group(1))) {
                count.calls.put(line.group(1), Long.parseLong(line.group(2)));
            }
        }
        return count;
    }

    /** What was sent since, without the observer's own {@code INFO}, {@code CLIENT} and hand-shakes. */
    Map<String, Long> since(CommandCount before) {
        Map<String, Long> sent = new TreeMap<>();
        calls.forEach((command, number) -> {
            long more = number - before.calls.getOrDefault(command, 0L);
            if (more > 0 && !command.equals("info")) {
                sent.put(command, more);
            }
        });
        return sent;
    }

    private static Set<String> inner() {
        Set<String> commands = new HashSet<>();
        for (String script : new String[] {"common", "campaign", "renew", "release"}) {
            Matcher call = INNER.matcher(text("/META-INF/election/redis/" + script + ".lua"));
            while (call.find()) {
                commands.add(call.group(1).toLowerCase(Locale.ROOT));
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
