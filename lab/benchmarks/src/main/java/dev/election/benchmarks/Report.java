package dev.election.benchmarks;

import java.util.List;

/**
 * A line that a node process has reported.
 *
 * @param node which one
 * @param kind what it is about
 * @param words the rest, mostly times of the monotonic clock, which all processes of a machine share
 */
record Report(String node, String kind, List<String> words) {

    static Report of(String node, String line) {
        List<String> words = List.of(line.split(" ", -1));
        return new Report(node, words.get(0), words.subList(1, words.size()));
    }

    boolean is(String someKind) {
        return kind.equals(someKind);
    }

    long number(int index) {
        return Long.parseLong(words.get(index));
    }
}
