package dev.election.spring.lifecycle;

import dev.election.Elections;
import dev.election.LeaderRecovery;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Adds the {@link LeaderRecovery} beans of one context to the elections, which may be those of its parent. */
public final class LeaderRecoveries implements SmartInitializingSingleton, DisposableBean, WantedElections {

    private final Elections elections;
    private final Supplier<Map<String, LeaderRecovery>> beans;
    private Map<String, LeaderRecovery> added = Map.of();

    /**
     * Creates the bean.
     *
     * @param elections to add the recoveries to
     * @param beans the recoveries by name, in their order; called when all singletons have been created
     */
    public LeaderRecoveries(Elections elections, Supplier<Map<String, LeaderRecovery>> beans) {
        this.elections = elections;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        added = beans.get();
        added.forEach(elections::addRecovery);
    }

    /** The elections of the recoveries, also where leaders do nothing else. */
    @Override
    public Set<String> names() {
        return added.values().stream().map(LeaderRecovery::election).collect(Collectors.toSet());
    }

    @Override
    public void destroy() {
        added.values().forEach(elections::removeRecovery);
    }
}
