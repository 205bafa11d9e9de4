package dev.election.autoconfigure;

import dev.election.spring.guard.LeaderGuardPostProcessor;
import dev.election.spring.guard.MarkedBeans;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Warns once if beans are marked leader-only in a context without the auto-configuration that guards them: in a test of a slice, which does
 * not include it, or where it is excluded.
 */
final class UnguardedContextWarning implements ApplicationListener<ApplicationStartedEvent> {

    private static final Logger log = LoggerFactory.getLogger(UnguardedContextWarning.class);

    @Override
    public void onApplicationEvent(ApplicationStartedEvent event) {
        ConfigurableApplicationContext context = event.getApplicationContext();
        if (context.getBeanNamesForType(LeaderGuardPostProcessor.class, true, false).length > 0
                || isSwitchedOff(context)) {
            return;
        }
        List<String> unguarded = MarkedBeans.in(context.getBeanFactory());
        if (!unguarded.isEmpty()) {
            log.warn(
                    "The leader-only methods of the beans {} are not guarded in this context: they run on every node. In a"
                            + " test of a slice add @AutoConfigureTestElections of dev.election:election-test. In an"
                            + " application do not exclude {}",
                    unguarded,
                    ElectionAopAutoConfiguration.class.getSimpleName());
        }
    }

    /** {@link ElectionPreconditionsAutoConfiguration} warns of that. */
    private static boolean isSwitchedOff(ConfigurableApplicationContext context) {
        return !context.getEnvironment().getProperty("election.enabled", Boolean.class, true);
    }
}
