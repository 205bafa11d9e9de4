package dev.election.autoconfigure.internal.watch;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderWork;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.OverdueWork;
import dev.election.support.DaemonThreads;
import dev.election.support.ReadableDuration;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds guarded calls under the leadership of this node that have run for longer than a bound for all calls, which makes the node
 * unhealthy. If configured, it then abdicates, so that another node does the work; what the stuck call still does is protected by the
 * fencing token only.
 */
public final class StuckWork implements CallObserver, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Elections elections;
    private final RunningCalls calls;
    private final @Nullable Duration bound;
    private final OverdueWork overdue;
    private final ScheduledThreadPoolExecutor thread;

    /** Begin of the call that was logged last, by election. */
    private final Map<String, Long> warned = new ConcurrentHashMap<>();

    /**
     * @param elections the elections of this node
     * @param bound how long any call may take, {@code null} for no bound
     * @param overdue gives up leadership, also over single calls
     */
    public StuckWork(Elections elections, @Nullable Duration bound, OverdueWork overdue) {
        this(elections, new RunningCalls(), bound, overdue);
    }

    StuckWork(Elections elections, RunningCalls calls, @Nullable Duration bound, OverdueWork overdue) {
        this.elections = elections;
        this.calls = calls;
        // It is also the cooldown of the abdication.
        this.bound = bound == null ? null : Election.bounded(bound);
        this.overdue = overdue;
        this.thread = new DaemonThreads("election-stuck-work").timer();
    }

    /** Each call is registered only where there is a bound for all: that has a small cost at each call. */
    @Override
    public LeaderWork begun(String election, Method method, LeaderWork work) {
        return bound == null ? work : calls.watch(election, OverdueWork.nameOf(method), work);
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
        look((election, hung, longest) -> overdue.abdicate(
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

    /** Action for a call that is stuck. */
    private interface Reaction {
        void to(Election election, RunningCalls.Oldest hung, Duration longest);
    }
}
