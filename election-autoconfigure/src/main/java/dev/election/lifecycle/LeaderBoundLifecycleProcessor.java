package dev.election.lifecycle;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.springframework.context.Lifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;

/**
 * Starts and stops what the context starts and stops, but for the beans that leadership starts and stops, and stops the elections
 * first.
 */
public final class LeaderBoundLifecycleProcessor extends DefaultLifecycleProcessor {

    private final Predicate<String> leaderBound;

    /**
     * Creates the processor.
     *
     * @param leaderBound whether the bean of that name is bound to leadership
     */
    public LeaderBoundLifecycleProcessor(Predicate<String> leaderBound) {
        this.leaderBound = leaderBound;
    }

    /**
     * In the order in which those of one phase are started or stopped. Most beans have the phase of the elections, which is that of
     * whoever names none: elections that are on stop before them, and those that are off start after them.
     */
    @Override
    protected Map<String, Lifecycle> getLifecycleBeans() {
        Map<String, Lifecycle> beans = new LinkedHashMap<>();
        Map<String, Lifecycle> last = new LinkedHashMap<>();
        Map<String, Lifecycle> all = super.getLifecycleBeans();
        all.forEach((name, bean) -> {
            if (bean instanceof ElectionLifecycle elections) {
                (elections.isRunning() ? beans : last).put(name, bean);
            }
        });
        all.forEach((name, bean) -> {
            if (!last.containsKey(name) && !leaderBound.test(name)) {
                beans.putIfAbsent(name, bean);
            }
        });
        beans.putAll(last);
        return beans;
    }
}
