package dev.election.spring;

import java.util.Map;
import java.util.function.Predicate;
import org.springframework.context.Lifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;

/** Starts and stops the lifecycle beans of a context except those that leadership starts and stops. */
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

    @Override
    protected Map<String, Lifecycle> getLifecycleBeans() {
        Map<String, Lifecycle> beans = super.getLifecycleBeans();
        beans.keySet().removeIf(leaderBound);
        return beans;
    }
}
