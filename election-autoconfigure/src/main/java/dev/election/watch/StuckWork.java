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
 * Finds guarded calls of this node's leadership that have run for longer than a bound, and gives leadership up then if it is told
 * to: another node may do the work, and whatever this call still does is fenced by its token.
 */
public final class StuckWork implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Elections elections;
    private final RunningCalls calls;
    private final Duration bound;
    private final ScheduledExecutorService thread;

    /**
     * @param elections whose work to look at
     * @param calls what runs
     * @param bound how long a call may take
     */
    public StuckWork(Elections elections, RunningCalls calls, Duration bound) {
        this.elections = elections;
        this.calls = calls;
        // It becomes a cooldown, too.
        this.bound = Election.bounded(bound);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "election-stuck-work");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /** The call that hangs, if this node leads the election and one does. */
    public Optional<RunningCalls.Oldest> of(Election election) {
        return calls.oldest(election.name()).filter(oldest -> oldest.age().compareTo(bound) > 0);
    }

    /** From now on gives up what hangs. */
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
            log.error("Could not look for stuck leader work; it is looked for again", defect);
        }
    }

    private void abdicate(Election election, RunningCalls.Oldest hung) {
        log.warn(
                "{} gives up the election '{}': {} has run for {}, longer than {}",
                elections.node(),
                election.name(),
                hung.what(),
                ReadableDuration.of(hung.age()),
                ReadableDuration.of(bound));
        // It won't end because it is waited for.
        CompletionStage<AbdicationOutcome> unused = election.abdicate(
                Abdication.toAnyone().drainingFor(Duration.ZERO).coolingDownFor(bound));
    }
}
