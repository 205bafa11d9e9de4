package dev.election.autoconfigure.internal;

import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.LeadershipRecord;
import dev.election.StoreView;
import dev.election.jobs.OnceRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import liquibase.Liquibase;
import liquibase.exception.LiquibaseException;
import liquibase.exception.UnexpectedLiquibaseException;
import liquibase.integration.commandline.LiquibaseCommandLineConfiguration;
import liquibase.integration.spring.Customizer;
import liquibase.integration.spring.MultiTenantSpringLiquibase;
import liquibase.integration.spring.SpringLiquibase;
import liquibase.lockservice.DatabaseChangeLogLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;

/** The changes of a bean of Liquibase. Loaded where Liquibase is present. */
final class LiquibaseChanges {

    /** The field that the bean has no getter for. */
    static final String SHOULD_RUN = "shouldRun";

    private static final Logger log = LoggerFactory.getLogger(OnceRunner.class);

    /** Ends the name of the host of a lock, before its description and its address. */
    private static final Pattern END_OF_HOST = Pattern.compile("[# ]");

    /** How much the clocks of a database and a store may differ. */
    private static final Duration CLOCKS = Duration.ofSeconds(5);

    /** Longer than any request to a store may take. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    private LiquibaseChanges() {}

    static boolean areOf(Class<?> type) {
        return SpringLiquibase.class.isAssignableFrom(type);
    }

    static boolean areOfTenants(Class<?> type) {
        return MultiTenantSpringLiquibase.class.isAssignableFrom(type);
    }

    /** Runs them as a task, unless they are switched off: then they must not count as done. */
    static void run(Object bean, Consumer<OnceRunner.Task> once) {
        SpringLiquibase changes = (SpringLiquibase) bean;
        if (LiquibaseCommandLineConfiguration.SHOULD_RUN.getCurrentValue()
                && Boolean.TRUE.equals(new DirectFieldAccessor(changes).getPropertyValue(SHOULD_RUN))) {
            once.accept(work -> run(changes, work));
        } else {
            unchecked(changes::afterPropertiesSet);
        }
    }

    /** Releases the lock of a process that was killed, before they run. */
    private static void run(SpringLiquibase changes, LeaderWork work) throws LiquibaseException {
        Customizer<Liquibase> own = changes.getCustomizer();
        changes.setCustomizer(liquibase -> {
            if (own != null) {
                own.customize(liquibase);
            }
            unchecked(() -> releaseLock(liquibase, work));
        });
        try {
            changes.afterPropertiesSet();
        } finally {
            changes.setCustomizer(own);
        }
    }

    /** Releases the lock if an earlier runner of the task has left it behind. Another holder may be at work: Liquibase waits for it. */
    private static void releaseLock(Liquibase liquibase, LeaderWork work) throws LiquibaseException {
        for (DatabaseChangeLogLock lock : locks(liquibase)) {
            if (leaderships(work).anyMatch(earlier -> hasTaken(earlier, lock))) {
                log.info("Releases the lock of Liquibase, which {} left behind", lock.getLockedBy());
                liquibase.forceReleaseLocks();
            } else {
                log.warn(
                        "Changes wait for the lock of Liquibase, which {} holds since {}: no earlier runner of '{}' is known to"
                                + " have taken it. Check whether that process is gone: then run 'liquibase release-locks', or set"
                                + " LOCKED to false in {}",
                        lock.getLockedBy(),
                        lock.getLockGranted(),
                        work.election().name(),
                        table(liquibase));
            }
        }
    }

    /** Returns none if Liquibase can't read them, as if somebody has set {@code LOCKED} alone by hand. */
    private static DatabaseChangeLogLock[] locks(Liquibase liquibase) {
        try {
            return liquibase.listLocks();
        } catch (LiquibaseException unreadable) {
            log.warn(
                    "The lock of Liquibase can't be read. Check whether changes wait for a process that is gone: then run"
                            + " 'liquibase release-locks', or set LOCKED to false in {}",
                    table(liquibase),
                    unreadable);
            return new DatabaseChangeLogLock[0];
        }
    }

    private static String table(Liquibase liquibase) {
        return liquibase.getDatabase().getDatabaseChangeLogLockTableName();
    }

    /** The leaderships before the present one, as far as the store keeps them. */
    private static Stream<LeadershipRecord> leaderships(LeaderWork work) {
        return work
                .election()
                .lookUp()
                .toCompletableFuture()
                .orTimeout(LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS)
                .thenApply(StoreView::leaderships)
                .exceptionally(failure -> {
                    log.warn(
                            "The history of '{}' can't be read, which says who has taken the lock of Liquibase. Check the store",
                            work.election().name(),
                            failure);
                    return List.of();
                })
                .join()
                .stream()
                .filter(record -> work.token().isNewerThan(record.leader().token()));
    }

    /** Whether a lock was granted to the host of a leader while it led. The time is that of the database, in the time zone of this process. */
    private static boolean hasTaken(LeadershipRecord leadership, DatabaseChangeLogLock lock) {
        if (lock.getLockedBy() == null) {
            return false;
        }
        Leader leader = leadership.leader();
        Instant until = leadership.until();
        String host = END_OF_HOST.split(lock.getLockedBy(), 2)[0];
        Instant granted = lock.getLockGranted().toInstant();
        return isOn(leader, host)
                && granted.isAfter(leader.since().minus(CLOCKS))
                && (until == null || granted.isBefore(until.plus(CLOCKS)));
    }

    /** Whether a leader has the default id on that host, its name as the id, or an address there. Another host may have a longer name. */
    private static boolean isOn(Leader leader, String host) {
        String name = Pattern.quote(host);
        return leader.node().matches(name + "(-[0-9a-f]{8})?")
                || Pattern.compile("(?<![A-Za-z0-9.-])" + name + "(?![A-Za-z0-9-])")
                        .matcher(leader.address())
                        .find();
    }

    private static void unchecked(Call call) {
        try {
            call.run();
        } catch (LiquibaseException failure) {
            throw new UnexpectedLiquibaseException(failure);
        }
    }

    private interface Call {

        void run() throws LiquibaseException;
    }
}
