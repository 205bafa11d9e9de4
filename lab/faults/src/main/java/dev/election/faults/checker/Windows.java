package dev.election.faults.checker;

import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;

/** When an election may be without a leader: after each fault for as long as its bound says. */
final class Windows {

    /** A node says every 50 ms that it still leads: one that was killed may have led for that much longer. */
    static final long UNSAID = 60_000_000;

    private final List<Window> windows = new ArrayList<>();
    private final Stalls stalls;

    Windows(History history, List<Episode> episodes, Stalls stalls) {
        long leaseMillis = history.about().leaseMillis();
        long lease = leaseMillis * 1_000_000;
        this.stalls = stalls;
        for (Episode episode : episodes) {
            long bound = Bound.of(episode.consequences(), history.about());
            if (bound > 0) {
                windows.add(
                        new Window(episode.begin() - UNSAID, episode.countsFrom(), episode.healed() + lease, bound));
            }
        }
        // As if everything had been stopped: requests time out, and connections are given up.
        long bound = Bound.of(EnumSet.of(ORPHANED_LEASE, LOST_CONNECTIONS), history.about());
        stalls.longerThan(Bound.requestTimeout(leaseMillis))
                .forEach((from, until) -> windows.add(new Window(from - UNSAID, until, until + lease, bound)));
        long firstFault = episodes.stream().mapToLong(Episode::begin).min().orElse(Long.MAX_VALUE);
        // What the first fault does is no matter of the start.
        started(history, firstFault)
                .ifPresent(
                        at -> windows.add(new Window(history.about().at(), at, at, Math.min(bound, firstFault - at))));
        windows.sort(Comparator.comparingLong(Window::from));
    }

    /**
     * When the last of the first processes knew who leads. Until then the machine is as good as stopped: the processes of all groups
     * start together, and for some seconds each of them, and Redis, waits for a processor.
     */
    private static OptionalLong started(History history, long firstFault) {
        return history.all(Entry.Informed.class).stream()
                .mapToLong(Entry.Informed::at)
                .filter(at -> at < firstFault)
                .max();
    }

    /** How much of the gap lies outside all windows, in nanoseconds. */
    long excess(Gap gap) {
        long covered = gap.from();
        long excess = 0;
        for (Window window : windows) {
            if (window.until(gap) <= covered) {
                continue;
            }
            if (window.from() >= gap.until()) {
                break;
            }
            excess += Math.max(0, window.from() - covered);
            covered = Math.max(covered, window.until(gap));
        }
        excess += Math.max(0, gap.until() - covered);
        return Math.max(0, excess - UNSAID - stalls.during(gap));
    }

    /**
     * Where a fault allows that nobody leads.
     *
     * @param from no gap begins before
     * @param countsFrom from when on the bound counts, at the earliest
     * @param lastLoss when a leader may be lost at the latest: its last good renewal may be as old as the end of the fault
     * @param bound how long a gap may then last
     */
    private record Window(long from, long countsFrom, long lastLoss, long bound) {

        long until(Gap gap) {
            return Math.max(countsFrom, Math.min(gap.from(), lastLoss)) + bound;
        }
    }
}
