package dev.election.autoconfigure.internal.checks;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

/**
 * Runs checks after the application is ready, on a separate thread, so that they do not delay the start. A check that can't be completed
 * yet, because Redis can't be reached for instance, is repeated. So is one that has found something in the store while the elections get no answer
 * from it.
 */
public final class Doctor implements ApplicationListener<ApplicationReadyEvent>, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private static final long PAUSE_SECONDS = 5;

    /** Time after which the elections themselves have found what a check of the store found at the start. */
    private static final long SETTLED_SECONDS = 1;

    private final ApplicationContext context;
    private final Supplier<List<Check>> checks;
    private final BooleanSupplier isStoreAway;
    private final ScheduledThreadPoolExecutor thread;
    private final List<Found> found = new CopyOnWriteArrayList<>();
    private final Set<Check> pending = ConcurrentHashMap.newKeySet();

    /**
     * Creates the doctor.
     *
     * @param context the application whose start counts
     * @param checks the checks; the supplier is called when the application is ready
     * @param isStoreAway whether an election gets no answer from the store, and has logged why
     */
    public Doctor(ApplicationContext context, Supplier<List<Check>> checks, BooleanSupplier isStoreAway) {
        this.context = context;
        this.checks = checks;
        this.isStoreAway = isStoreAway;
        this.thread = new DaemonThreads("election-doctor").timer(Duration.ofSeconds(1));
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (event.getApplicationContext() == context) {
            thread.execute(() -> {
                List<Check> all = checks.get();
                pending.addAll(all);
                all.forEach(check -> look(check, true));
            });
        }
    }

    private record Found(Check check, Finding finding) {}

    /** The problems that the checks have found since the start, but for those that are known to be gone. */
    public List<Finding> findings() {
        return found.stream()
                .filter(each -> each.check().holds(each.finding()))
                .map(Found::finding)
                .toList();
    }

    /** How many checks could not be completed yet. */
    public int pending() {
        return pending.size();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void look(Check check, boolean isFirst) {
        try {
            check.look().whenComplete((findings, failure) -> {
                if (failure != null) {
                    log.debug("The check {} could not be completed. It is repeated", check, failure);
                    again(check, PAUSE_SECONDS);
                } else if (check.asksStore() && !findings.isEmpty() && (isFirst || isStoreAway.getAsBoolean())) {
                    again(check, isFirst ? SETTLED_SECONDS : PAUSE_SECONDS);
                } else {
                    findings.forEach(finding -> log.warn("{}. {}", finding.problem(), finding.action()));
                    findings.forEach(finding -> found.add(new Found(check, finding)));
                    pending.remove(check);
                }
            });
        } catch (RuntimeException defect) {
            log.debug("The check {} failed and is not repeated", check, defect);
            pending.remove(check);
        }
    }

    private void again(Check check, long seconds) {
        if (!thread.isShutdown()) {
            ScheduledFuture<?> unused = thread.schedule(() -> look(check, false), seconds, TimeUnit.SECONDS);
        }
    }
}
