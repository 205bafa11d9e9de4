package dev.election.internal.recovery;

import dev.election.LeaderRecovery;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The recoveries of all elections of a process. Thread-safe. */
public final class Recoveries {

    private final TakeOver takeOver;
    private final List<Named> all = new CopyOnWriteArrayList<>();

    public Recoveries(TakeOver takeOver) {
        this.takeOver = takeOver;
    }

    /** A recovery with the name that logs show. */
    record Named(String name, String election, LeaderRecovery recovery) {}

    /** Adds a recovery behind all others. Reads its election here, since the loop must not call the application. */
    public void add(String name, LeaderRecovery recovery) {
        add(name, recovery.election(), recovery);
    }

    /** Adds a recovery of an election that it need not name itself. */
    public void add(String name, String election, LeaderRecovery recovery) {
        all.add(new Named(name, election, recovery));
    }

    public void remove(LeaderRecovery recovery) {
        all.removeIf(named -> named.recovery() == recovery);
    }

    List<Named> of(String election) {
        return all.isEmpty()
                ? List.of()
                : all.stream()
                        .filter(named -> named.election().equals(election))
                        .toList();
    }

    public TakeOver takeOver() {
        return takeOver;
    }
}
