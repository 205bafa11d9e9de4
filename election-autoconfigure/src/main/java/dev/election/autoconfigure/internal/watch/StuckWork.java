package dev.election.autoconfigure.internal.watch;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.Elections;
import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.internal.interruption.Stopping;
import dev.election.support.DaemonThreads;
import dev.election.support.ReadableDuration;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds guarded calls under the leadership of this node that have run for longer than a bound: one for all calls, which makes the node
 * unhealthy, or one of their own. If configured, or beyond a bound of their own, it then abdicates, so that another node does the work; what
 * the stuck call still does is protected by the fencing token only.
 */
public final class StuckWork implements CallObserver, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Time that a call has to end after its interrupt. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Elections elections;
    private final RunningCalls calls;
    private final @Nullable Duration bound;
    private final Duration grace;
    private final ScheduledThreadPoolExecutor thread;

    /** Begin of the call that was logged last, by election. */
    private final Map<String, Long> warned = new ConcurrentHashMap<>();

    /** The elections whose leadership is being given up, which may take a drain time. */
    private final Set<String> leaving = ConcurrentHashMap.newKeySet();

    /**
     * @param elections the elections of this node
     * @param bound how long any call may take, {@code null} for no bound
     */
    public StuckWork(Elections elections, @Nullable Duration bound) {
        this(elections, new RunningCalls(), bound, GRACE);
    }

    StuckWork(Elections elections, RunningCalls calls, @Nullable Duration bound, Duration grace) {
        this.elections = elections;
        this.calls = calls;
        // It is also the cooldown of the abdication.
        this.bound = bound == null ? null : Election.bounded(bound);
        this.grace = grace;
        this.thread = new ScheduledThreadPoolExecutor(1, new DaemonThreads("election-stuck-work"));
        // The end of a call takes its limit out of the queue.
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Each call is registered only where there is a bound for all: that has a small cost at each call. */
    @Override
    public LeaderWork begun(String election, Method method, LeaderWork work) {
        return bound == null ? work : calls.watch(election, RunningCalls.nameOf(method), work);
    }

    @Override
    public LeaderWork limited(
            String election, Method method, Duration atMost, Supplier<Stopping> stop, LeaderWork work) {
        return limit(
                election, RunningCalls.nameOf(method), atMost, () -> stop.get().text(), work);
    }

    /**
     * Limits how long admitted work may run: then the work is stopped, and if it still does not end, this node abdicates.
     *
     * @param election the name of the election
     * @param what the name of the work, for messages
     * @param atMost how long it may run
     * @param stop stops it as far as that is possible, and says what was done, going on with a sentence of which the work is the subject
     * @param work the admitted work
     */
    LeaderWork limit(String election, String what, Duration atMost, Supplier<String> stop, LeaderWork work) {
        Limit limit = new Limit(election, what, atMost, stop, work);
        limit.begin();
        return limit;
    }

    /** The oldest stuck call, if this node leads the election and there is one. */
    public Optional<RunningCalls.Oldest> of(Election election) {
        Duration longest = bound;
        return longest == null
                ? Optional.empty()
                : calls.oldest(election.name()).filter(oldest -> oldest.age().compareTo(longest) > 0);
    }

    /** From now on abdicates from an election with a stuck call. */
    public void abdicateWhenStuck() {
        look((election, hung, longest) -> abdicate(
                election,
                hung.what(),
                hung.age(),
                "longer than " + ReadableDuration.of(longest) + " (election.health.stuck-work-after)",
                longest));
    }

    /** From now on logs a stuck call, once. */
    public void warnWhenStuck() {
        look(this::warn);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void look(Reaction reaction) {
        Duration longest = bound;
        if (longest != null) {
            long every = Math.max(1, longest.toMillis() / 4);
            ScheduledFuture<?> unused =
                    thread.scheduleWithFixedDelay(() -> look(reaction, longest), every, every, TimeUnit.MILLISECONDS);
        }
    }

    private void look(Reaction reaction, Duration longest) {
        try {
            elections.all().forEach(election -> of(election).ifPresent(hung -> reaction.to(election, hung, longest)));
        } catch (RuntimeException defect) {
            log.error("Failed to check for stuck leader work. The check is repeated", defect);
        }
    }

    private void warn(Election election, RunningCalls.Oldest hung, Duration longest) {
        Long before = warned.put(election.name(), hung.begun());
        if (before == null || before != hung.begun()) {
            log.warn(
                    "{} in the election '{}' has been running for {}, longer than {} (election.health.stuck-work-after): health is down"
                            + " until it ends or this node leads no more. Find out why it hangs, or set the property to more than it"
                            + " takes",
                    hung.what(),
                    election.name(),
                    ReadableDuration.of(hung.age()),
                    ReadableDuration.of(longest));
        }
    }

    private void abdicate(Election election, String what, Duration age, String why, Duration cooldown) {
        if (!leaving.add(election.name())) {
            return;
        }
        // No drain time: a stuck call would not end within it. Told when it is done: a stop that is under way may go on
        // for its drain time.
        CompletionStage<AbdicationOutcome> unused = election.abdicate(
                        Abdication.toAnyone().drainingFor(Duration.ZERO).coolingDownFor(cooldown))
                .whenComplete((outcome, failure) -> {
                    leaving.remove(election.name());
                    log.warn(
                            "{} has given up the leadership of '{}' ({}): {} had been running for {}, {}",
                            elections.node(),
                            election.name(),
                            outcome,
                            what,
                            ReadableDuration.of(age),
                            why);
                });
    }

    /** Action for a call that is stuck. */
    private interface Reaction {
        void to(Election election, RunningCalls.Oldest hung, Duration longest);
    }

    /** Work with a bound of its own. */
    private final class Limit extends ForwardingLeaderWork {

        private final String election;
        private final String what;
        private final Duration atMost;
        private final Supplier<String> stop;
        private volatile @Nullable ScheduledFuture<?> next;
        private volatile boolean closed;

        private Limit(String election, String what, Duration atMost, Supplier<String> stop, LeaderWork work) {
            super(work);
            this.election = election;
            this.what = what;
            this.atMost = atMost;
            this.stop = stop;
        }

        private void begin() {
            next = thread.schedule(this::stop, atMost.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void stop() {
            if (closed) {
                return;
            }
            log.warn(
                    "{} in the election '{}' has been running for {} (atMostFor) and {}. If it does not end within {},"
                            + " this node gives up leadership, and another node may do the next work at the same time."
                            + " Token {}",
                    what,
                    election,
                    ReadableDuration.of(atMost),
                    stop.get(),
                    ReadableDuration.of(grace),
                    token());
            next = thread.schedule(this::giveUp, grace.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void giveUp() {
            if (!closed && isCurrent()) {
                abdicate(
                        election(),
                        what,
                        atMost.plus(grace),
                        "longer than " + ReadableDuration.of(atMost) + " (atMostFor), and has not ended "
                                + ReadableDuration.of(grace) + " after that",
                        grace);
            }
        }

        @Override
        public void close() {
            closed = true;
            ScheduledFuture<?> planned = next;
            if (planned != null) {
                planned.cancel(false);
            }
            super.close();
        }
    }
}
