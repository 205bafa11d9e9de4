package dev.election.autoconfigure.internal;

import dev.election.jobs.OnceRunner;
import java.util.function.Consumer;
import liquibase.Liquibase;
import liquibase.exception.LiquibaseException;
import liquibase.exception.UnexpectedLiquibaseException;
import liquibase.integration.commandline.LiquibaseCommandLineConfiguration;
import liquibase.integration.spring.Customizer;
import liquibase.integration.spring.MultiTenantSpringLiquibase;
import liquibase.integration.spring.SpringLiquibase;
import org.springframework.beans.DirectFieldAccessor;

/** The changes of a bean of Liquibase. Loaded where Liquibase is present. */
final class LiquibaseChanges {

    /** The field that the bean has no getter for. */
    static final String SHOULD_RUN = "shouldRun";

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
            once.accept(work -> run(changes));
        } else {
            unchecked(changes::afterPropertiesSet);
        }
    }

    /** Releases the lock of a process that was killed, before they run: nobody else runs them at this time. */
    private static void run(SpringLiquibase changes) throws LiquibaseException {
        Customizer<Liquibase> own = changes.getCustomizer();
        changes.setCustomizer(liquibase -> {
            if (own != null) {
                own.customize(liquibase);
            }
            unchecked(liquibase::forceReleaseLocks);
        });
        try {
            changes.afterPropertiesSet();
        } finally {
            changes.setCustomizer(own);
        }
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
