package dev.election.watch;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.Elections;
import dev.election.text.ReadableDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds guarded calls under the leadership of this node that have run for longer than a bound. If configured, it then abdicates, so that
 * another node does the work; what the stuck call still does is protected by the fencing token only.
 */
public final class StuckWork implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Elections elections;
    private final RunningCalls calls;
    private final Duration bound;
    private final ScheduledExecutorService thread;

    /**
     * @param elections the elections of this node
     * @param calls the running calls
     * @param bound how long a call may take
     */
    public StuckWork(Elections elections, RunningCalls calls, Duration bound) {
        this.elections = elections;
        this.calls = calls;
        // It is also the cooldown of the abdication.
        this.bound = Election.bounded(bound);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "election-stuck-work");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /** The oldest stuck call, if this node leads the election and there is one. */
    public Optional<RunningCalls.Oldest> of(Election election) {
        return calls.oldest(election.name()).filter(oldest -> oldest.age().compareTo(bound) > 0);
    }

    /** From now on abdicates from an election with a stuck call. */
    public void abdicateWhenStuck() {
        long every = Math.max(1, bound.toMillis() / 4);
        ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(this::look, every, every, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void look() {
        try {
            elections.all().forEach(election -> of(election).ifPresent(hung -> abdicate(election, hung)));
        } catch (RuntimeException defect) {
            log.error("Failed to check for stuck leader work. The check is repeated", defect);
        }
    }

    private void abdicate(Election election, RunningCalls.Oldest hung) {
        log.warn(
                "{} abdicates from the election '{}': {} has been running for {}, longer than {}"
                        + " (election.health.stuck-work-after)",
                elections.node(),
                election.name(),
                hung.what(),
                ReadableDuration.of(hung.age()),
                ReadableDuration.of(bound));
        // No drain time: a stuck call would not end within it.
        CompletionStage<AbdicationOutcome> unused = election.abdicate(
                Abdication.toAnyone().drainingFor(Duration.ZERO).coolingDownFor(bound));
    }
}
