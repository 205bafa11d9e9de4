package dev.election.autoconfigure;

import dev.election.aop.LeaderGuardPostProcessor;
import dev.election.aop.MarkedBeans;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Says once that beans ask for a guard where nothing puts one around them: in the test of a slice, of which the auto-configuration is
 * no part, or where it is excluded.
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
                    "Nothing guards the leader-only methods of the beans {} in this context: they run whoever leads. In the"
                            + " test of a slice add @AutoConfigureTestElections of dev.election:election-test; in an"
                            + " application do not exclude {}",
                    unguarded,
                    ElectionAopAutoConfiguration.class.getSimpleName());
        }
    }

    /** Which is said elsewhere. */
    private static boolean isSwitchedOff(ConfigurableApplicationContext context) {
        return !context.getEnvironment().getProperty("election.enabled", Boolean.class, true);
    }
}
