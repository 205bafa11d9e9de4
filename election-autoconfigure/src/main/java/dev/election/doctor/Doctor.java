package dev.election.doctor;

import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

/**
 * Looks after the application is ready, on a thread of its own, so that it delays nothing. What can't be looked at yet, a Redis
 * that is away for instance, is looked at later.
 */
public final class Doctor implements ApplicationListener<ApplicationReadyEvent>, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private static final long PAUSE_SECONDS = 5;

    private final ApplicationContext context;
    private final Supplier<List<Check>> checks;
    private final ScheduledThreadPoolExecutor thread;

    /**
     * Creates the doctor.
     *
     * @param context the application whose start counts
     * @param checks what to look at; asked for when it is time
     */
    public Doctor(ApplicationContext context, Supplier<List<Check>> checks) {
        this.context = context;
        this.checks = checks;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "election-doctor");
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setKeepAliveTime(1, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (event.getApplicationContext() == context) {
            thread.execute(() -> checks.get().forEach(this::look));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void look(Check check) {
        try {
            check.look().whenComplete((findings, failure) -> {
                if (failure == null) {
                    findings.forEach(finding -> log.warn("{}. {}", finding.problem(), finding.action()));
                } else {
                    log.debug("Nothing can be said yet; it is looked at again", failure);
                    again(check);
                }
            });
        } catch (RuntimeException defect) {
            log.debug("A check failed and is left out: {}", check, defect);
        }
    }

    private void again(Check check) {
        if (!thread.isShutdown()) {
            ScheduledFuture<?> unused = thread.schedule(() -> look(check), PAUSE_SECONDS, TimeUnit.SECONDS);
        }
    }
}
