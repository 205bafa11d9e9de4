package dev.election.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tries each second to take a lock of ShedLock, as a job would that runs each second, and extends it while it has it. */
final class ShedLockCompetitor implements Competitor {

    private final LockProvider provider;
    private final Duration lease;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "shedlock");
        thread.setDaemon(true);
        return thread;
    });

    /** The lock while this node has it. Like {@link #extendedAt}, used by the thread of the timer only. */
    private @Nullable SimpleLock held;

    private long extendedAt;

    ShedLockCompetitor(DataSource pool, Duration lease) {
        this.lease = lease;
        this.provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
    }

    @Override
    public void start(Runnable leads) {
        var unused = timer.scheduleAtFixedRate(() -> tick(leads), 0, 1, TimeUnit.SECONDS);
    }

    private void tick(Runnable leads) {
        SimpleLock lock = held;
        if (lock == null) {
            Optional<SimpleLock> taken =
                    provider.lock(new LockConfiguration(Instant.now(), "leader", lease, Duration.ZERO));
            taken.ifPresent(unused -> leads.run());
            held = taken.orElse(null);
            extendedAt = System.nanoTime();
        } else if (System.nanoTime() - extendedAt > lease.toNanos() / 3) {
            held = lock.extend(lease, Duration.ZERO).orElse(null);
            extendedAt = System.nanoTime();
        }
    }

    @Override
    public void stop() throws ExecutionException, InterruptedException {
        timer.submit(() -> {
                    SimpleLock lock = held;
                    held = null;
                    if (lock != null) {
                        lock.unlock();
                    }
                })
                .get();
        timer.shutdownNow();
    }
}
