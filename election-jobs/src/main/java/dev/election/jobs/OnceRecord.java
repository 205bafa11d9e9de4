package dev.election.jobs;

import dev.election.support.OneLine;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The text in the state of the election of a task.
 *
 * @param done the node that has done it, empty if none has
 * @param version the version of the build that has done it
 * @param failures the number of failures of each version, fewer than ten
 * @param latest the latest failure, empty if there was none
 */
record OnceRecord(String done, String version, Map<String, Integer> failures, String latest) {

    static final OnceRecord NONE = new OnceRecord("", "", Map.of(), "");

    /** So that the text stays short. Older versions begin to count anew. */
    private static final int MOST_VERSIONS = 10;

    private static final int LONGEST = 300;

    static OnceRecord parse(String text) {
        Map<String, String> parts = new HashMap<>();
        Map<String, Integer> failures = new LinkedHashMap<>();
        OneLine.parts(text, (name, value) -> {
            if (name.equals("failed") && value.matches("[1-9] .*")) {
                failures.put(value.substring(2), value.charAt(0) - '0');
            } else {
                parts.put(name, value);
            }
        });
        return new OnceRecord(
                parts.getOrDefault("done", ""),
                parts.getOrDefault("version", ""),
                failures,
                parts.getOrDefault("failure", ""));
    }

    /** Writes lines {@code done=<node>} and {@code version=<version>} of a task that is done, and those of its failures before. */
    String text() {
        StringBuilder text = new StringBuilder();
        if (isDone()) {
            text.append("done=")
                    .append(OneLine.escaped(done))
                    .append("\nversion=")
                    .append(OneLine.escaped(version))
                    .append('\n');
        }
        failures.forEach((build, count) -> text.append("failed=")
                .append(count)
                .append(' ')
                .append(OneLine.escaped(build))
                .append('\n'));
        return latest.isEmpty() ? text.toString() : text + "failure=" + OneLine.escaped(latest) + "\n";
    }

    boolean isDone() {
        return !done.isEmpty();
    }

    int failures(String version) {
        return failures.getOrDefault(shown(version), 0);
    }

    OnceRecord doneBy(String node, String version) {
        return new OnceRecord(node, shown(version), failures, latest);
    }

    /** Returns this with one more failure of a version, which is not counted if it is empty. */
    OnceRecord failed(String version, Throwable failure) {
        Map<String, Integer> counted = new LinkedHashMap<>(failures);
        if (!version.isEmpty()) {
            counted.remove(shown(version));
            counted.put(shown(version), failures(version) + 1);
            if (counted.size() > MOST_VERSIONS) {
                counted.remove(counted.keySet().iterator().next());
            }
        }
        return new OnceRecord(done, this.version, counted, shown(failure.toString()));
    }

    private static String shown(String text) {
        return OneLine.shown(text, LONGEST);
    }
}
