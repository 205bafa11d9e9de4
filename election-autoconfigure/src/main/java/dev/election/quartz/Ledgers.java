package dev.election.quartz;

import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.store.LeaseStore;
import dev.election.store.Logbook;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The ledgers of the leaderships of this node, from when what earlier leaders have written is known. */
final class Ledgers {

    private final Logbook book;
    private final Duration recoverWithin;
    private final long retention;
    private final LogProblems problems;
    private final Map<String, JobLedger> current = new ConcurrentHashMap<>();

    /** The latest leadership for which a ledger was asked. */
    private final Map<String, FencingToken> asked = new ConcurrentHashMap<>();

    /** What this node has written in its latest leadership. */
    private final Map<String, LeaderLog> logs = new ConcurrentHashMap<>();

    /** What tells of reconnects, by election. */
    private final Map<String, LeaseStore.Subscription> subscriptions = new ConcurrentHashMap<>();

    /** The elections in which another node was seen to lead. */
    private final Set<String> ledByOthers = ConcurrentHashMap.newKeySet();

    /**
     * @param book where leaders write, {@code null} if there is nothing to write to
     * @param recoverWithin how long a slot is worth being fired late
     * @param clock of this node
     */
    Ledgers(@Nullable Logbook book, Duration recoverWithin, InstantSource clock) {
        this.book = book == null ? new NoLogbook() : book;
        this.problems = new LogProblems(clock);
        this.recoverWithin = recoverWithin;
        // Longer than any slot can be missed, however far the clocks of two nodes are apart.
        this.retention = recoverWithin.plusHours(1).toMillis();
    }

    /** The ledger of that leadership, {@code null} before it has been opened and when it has ended. */
    @Nullable
    JobLedger find(String election, FencingToken token) {
        JobLedger ledger = current.get(election);
        return ledger != null && ledger.token().equals(token) ? ledger : null;
    }

    /** The ledger of the leadership that this node has, or had a moment ago; {@code null} if none is open. */
    @Nullable
    JobLedger find(String election) {
        return current.get(election);
    }

    /**
     * Opens a ledger. Returns at once.
     *
     * @param use what to do with it
     */
    void open(String election, FencingToken token, Elections elections, Consumer<JobLedger> use) {
        asked.put(election, token);
        subscriptions.computeIfAbsent(election, name -> book.listen(name, () -> reconnected(name)));
        // Without a book, or if it is lost, nobody knows what others have fired.
        boolean alone = !ledByOthers.contains(election);
        LeaderLog latest = logs.get(election);
        LeaderLog log = new LeaderLog(
                book,
                election,
                token,
                () -> leads(elections, election, token),
                recoverWithin,
                latest == null ? null : latest.latestOpened(),
                alone,
                problems);
        logs.put(election, log);
        log.open()
                .thenAccept(
                        opened -> opened(election, new JobLedger(token, log, retention, opened.known() || alone), use));
    }

    /** What is wrong with the log of that election, if anything is. */
    Optional<JobLogProblem> problem(String election) {
        return problems.of(election);
    }

    /** Writes no more. */
    void close() {
        subscriptions.values().forEach(LeaseStore.Subscription::close);
        logs.values().forEach(LeaderLog::close);
    }

    void close(String election, FencingToken token) {
        asked.remove(election, token);
        current.computeIfPresent(election, (name, ledger) -> ledger.token().isNewerThan(token) ? ledger : null);
    }

    void ledByAnother(String election) {
        ledByOthers.add(election);
    }

    private void reconnected(String election) {
        LeaderLog log = logs.get(election);
        if (log != null) {
            log.reconnected();
        }
    }

    private void opened(String election, JobLedger ledger, Consumer<JobLedger> use) {
        if (ledger.token().equals(asked.get(election))) {
            current.put(election, ledger);
            use.accept(ledger);
        }
    }

    private static boolean leads(Elections elections, String election, FencingToken token) {
        return elections
                .find(election)
                .flatMap(found -> found.leadership())
                .filter(leadership -> leadership.token().equals(token))
                .isPresent();
    }
}
