package dev.election.faults.checker;

import dev.election.faults.history.Consequence;
import dev.election.faults.history.Entry;
import dev.election.faults.history.Entry.Write.Outcome;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A history that is written by hand; times in milliseconds, lease of two seconds. */
final class Doctored {

    static final long LEASE = 2000;

    private final List<Entry> entries = new ArrayList<>();
    private int faults;

    Doctored() {
        entries.add(new Entry.Begun("doctored", "STANDALONE", LEASE, 1, 0));
    }

    /** Answers every ten milliseconds that it leads, and at the end that it does not. */
    Doctored leads(String node, long token, long from, long until) {
        for (long at = from; at <= until; at += 10) {
            answers(node, true, token, at, at);
        }
        return answers(node, false, 0, until + 1, until + 1);
    }

    Doctored answers(String node, boolean leads, long token, long asked, long answered) {
        entries.add(new Entry.Answer(node, leads, token, nanos(asked), nanos(answered)));
        return this;
    }

    Doctored fault(long from, long until, String node, Consequence... consequences) {
        return fault(faults, from, until, node, consequences);
    }

    Doctored fault(int episode, long from, long until, String node, Consequence... consequences) {
        Set<Consequence> all = EnumSet.noneOf(Consequence.class);
        all.addAll(List.of(consequences));
        entries.add(new Entry.Injected(
                faults, episode, "HARM", "SOMEBODY", List.of(node), all, all, nanos(from), nanos(from)));
        entries.add(new Entry.Healed(faults++, nanos(until)));
        return this;
    }

    Doctored write(String resource, long token, long sequence) {
        Outcome outcome = sequence == 0 ? Outcome.REFUSED : Outcome.APPLIED;
        entries.add(new Entry.Write("a", resource, token, outcome, sequence, nanos(1), nanos(2)));
        return this;
    }

    Doctored stalled(String node, long from, long until) {
        entries.add(new Entry.Stalled(node, nanos(from), nanos(until)));
        return this;
    }

    /** It has heard for the first time who leads. */
    Doctored informed(String node, long at) {
        entries.add(new Entry.Informed(node, nanos(at)));
        return this;
    }

    Doctored joined(String node, long at) {
        entries.add(new Entry.Joined(node, nanos(at)));
        return this;
    }

    Doctored ended(String node, long at) {
        entries.add(new Entry.Ended(node, nanos(at)));
        return this;
    }

    Doctored sees(String node, long at, String... members) {
        entries.add(new Entry.Sees(node, List.of(members), nanos(at)));
        return this;
    }

    Doctored uses(String node, int threads, long files, long heapBytes) {
        entries.add(new Entry.Used(node, threads, files, heapBytes, nanos(1)));
        return this;
    }

    Doctored mustered(long at, String... nodes) {
        entries.add(new Entry.Mustered(List.of(nodes), nanos(at)));
        return this;
    }

    Verdict judgedAt(long end) {
        List<Entry> all = new ArrayList<>(entries);
        if (all.stream().noneMatch(Entry.Mustered.class::isInstance)) {
            all.add(new Entry.Mustered(List.of(), nanos(end)));
        }
        all.add(new Entry.Over(nanos(end)));
        return Checker.judge(new History(all));
    }

    Verdict cutOff() {
        return Checker.judge(new History(entries));
    }

    private static long nanos(long millis) {
        return millis * 1_000_000;
    }
}
