package dev.election.jobs.engine;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.SlotClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The slots that one scheduler runs on this node, in whatever leadership: claims them, and knows which of them run here. */
public final class SlotEngine {

    private final String scheduler;
    private final JobRecords records;
    private final Supplier<Duration> worth;
    private final UnconfirmedClaims unconfirmed;

    /** The elections and ids of slots that are claimed or run on this node, maybe since an earlier leadership. */
    private final Set<String> running = ConcurrentHashMap.newKeySet();

    private final Map<String, JobPlace> places = new ConcurrentHashMap<>();

    /**
     * Creates the engine of a scheduler.
     *
     * @param scheduler the name of its part of the ledgers
     * @param records where slots and runs are recorded
     * @param worth how long a missed slot is worth being run at most
     * @param nanos the monotonic clock of this node
     */
    public SlotEngine(String scheduler, JobRecords records, Supplier<Duration> worth, LongSupplier nanos) {
        this.scheduler = scheduler;
        this.records = records;
        this.worth = worth;
        this.unconfirmed = new UnconfirmedClaims(nanos);
    }

    /** The ledger of its jobs in a leadership, {@code null} before it is open and when it is over. */
    public @Nullable SchedulerLedger ledger(String election, FencingToken token) {
        Ledger open = records.ledgers().find(election, token);
        return open == null ? null : partOf(open);
    }

    /** The ledger of its jobs in the leadership that this node has, or had a moment ago; {@code null} if none is open. */
    public @Nullable SchedulerLedger ledger(String election) {
        Ledger open = records.ledgers().find(election);
        return open == null ? null : partOf(open);
    }

    /** The part of its jobs in that ledger. */
    public SchedulerLedger partOf(Ledger ledger) {
        return ledger.of(scheduler, worth.get());
    }

    /** Whether this node has that leadership, from memory. */
    public boolean leads(String election, FencingToken token) {
        return records.ledgers().leads(election, token);
    }

    /** Whether this node leads that election and begins nothing new, since it hands leadership over. */
    public boolean isResigning(String election) {
        return records.ledgers().isResigning(election);
    }

    /** Begins leader work under that leadership; empty if it is over, or about to be. */
    public Optional<LeaderWork> beginWork(String election, FencingToken token) {
        LeaderWork work = records.ledgers()
                .election(election)
                .flatMap(Election::beginWork)
                .orElse(null);
        if (work != null && !work.token().equals(token)) {
            work.close();
            return Optional.empty();
        }
        return Optional.ofNullable(work);
    }

    /** Jobs of this node that can't begin since the store does not confirm that their slots are claimed. */
    public UnconfirmedClaims unconfirmed() {
        return unconfirmed;
    }

    /**
     * Claims a slot for a job that begins when the store has confirmed that, which it does soon or never.
     *
     * @param work under whose leadership it is claimed
     * @param ledger of that leadership
     * @param slot what is claimed
     * @param now by the clock of the scheduler
     * @param details what else a successor has to know that finds the claim
     */
    public ClaimedSlot claim(LeaderWork work, SchedulerLedger ledger, SlotId slot, Instant now, String details) {
        running.add(named(work.election().name(), slot.id()));
        String node = records.history().node();
        return new ClaimedSlot(this, work, ledger, slot)
                .claim(now, new SlotClaim(work.token(), now, node, details).format());
    }

    /**
     * Takes a slot for a job that begins at once, whether or not the store records it.
     *
     * @param work under whose leadership it is run
     * @param ledger of that leadership
     * @param slot what is run
     * @param mark what a successor finds of the job while it runs, {@code null} for nothing
     * @param record records the slot with those entries of jobs that run
     */
    public ClaimedSlot run(
            LeaderWork work,
            SchedulerLedger ledger,
            SlotId slot,
            @Nullable String mark,
            Function<Map<String, String>, CompletionStage<Boolean>> record) {
        running.add(named(work.election().name(), slot.id()));
        return new ClaimedSlot(this, work, ledger, slot).run(mark, record);
    }

    /**
     * A slot that this node has claimed in an earlier leadership and not begun, to be taken back in this one; empty if another leader has
     * decided about it since.
     */
    public Optional<ClaimedSlot> left(LeaderWork work, SchedulerLedger ledger, ClaimedSlot earlier) {
        return Optional.ofNullable(ledger.claimed().get(earlier.slot().id()))
                .flatMap(SlotClaim::parse)
                .filter(claim -> claim.token().equals(earlier.token()))
                .map(claim -> new ClaimedSlot(this, work, ledger, earlier.slot()));
    }

    /** Records that a slot which an earlier leader has claimed is not run, since its job is not known to have begun. */
    public void notBegun(String election, String job, long slot, SlotClaim claim, FencingToken token) {
        records.history().notBegun(election, job, Instant.ofEpochMilli(slot), claim, token);
    }

    /** The place of a job of that election on this node. */
    public JobPlace place(String election, String job) {
        return places.computeIfAbsent(named(election, job), name -> new JobPlace());
    }

    /** Whether the slot of that id is claimed or runs on this node, maybe since an earlier leadership. */
    public boolean isRunning(String election, String id) {
        return running.contains(named(election, id));
    }

    /** Whether any slot whose id begins so is claimed or runs on this node, maybe since an earlier leadership. */
    public boolean isAnyRunning(String election, String begin) {
        String named = named(election, begin);
        return running.stream().anyMatch(slot -> slot.startsWith(named));
    }

    void ended(String election, String id) {
        running.remove(named(election, id));
    }

    private static String named(String election, String id) {
        return election + " " + id;
    }
}
