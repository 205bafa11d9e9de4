package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Records that are written by hand; times in milliseconds, an old node's check every three seconds. */
final class Doctored {

    static final Pace PACE = Pace.ofCheck(Duration.ofSeconds(3));

    private final List<Entry> entries = new ArrayList<>();

    /** It answers every ten milliseconds that it is master, and at the end that it is not. */
    Doctored master(String node, long from, long until) {
        for (long at = from; at <= until; at += 10) {
            answers(node, true, at, at);
        }
        return answers(node, false, until + 1, until + 1);
    }

    Doctored answers(String node, boolean master, long asked, long answered) {
        entries.add(new Entry.Answer(node, master, 0, nanos(asked), nanos(answered)));
        return this;
    }

    Doctored ran(String node, long slot, long asked) {
        entries.add(new Entry.Ran(node, slot, nanos(asked), nanos(asked)));
        return this;
    }

    Doctored registered(String node, long read, long written) {
        entries.add(new Entry.Registered(node, nanos(read), nanos(written), nanos(written)));
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

    Doctored stalled(String node, long from, long until) {
        entries.add(new Entry.Stalled(node, nanos(from), nanos(until)));
        return this;
    }

    /** That the machine stood still, as the node itself has noticed. */
    Doctored slept(String node, long from, long until) {
        entries.addAll(Stalls.noticedBy(node, nanos(from), 0, nanos(until)));
        return this;
    }

    /** Every hundred milliseconds. */
    Doctored key(String value, long from, long until) {
        for (long at = from; at < until; at += 100) {
            entries.add(new Entry.KeySeen(value, nanos(at)));
        }
        return this;
    }

    Verdict judgedAt(long end) {
        entries.add(new Entry.Over(nanos(end)));
        if (entries.stream().noneMatch(Entry.Joined.class::isInstance)) {
            joined("old1", 0);
            joined("new1", 0);
        }
        return Verdict.of(PACE, Records.of(entries));
    }

    private static long nanos(long millis) {
        return millis * 1_000_000;
    }
}
