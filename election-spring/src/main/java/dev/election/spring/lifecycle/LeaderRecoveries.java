package dev.election.spring.lifecycle;

import dev.election.Elections;
import dev.election.LeaderRecovery;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Adds the {@link LeaderRecovery} beans of one context to the elections, which may be those of its parent. */
final class LeaderRecoveries {

    private final Elections elections;
    private final ConfigurableListableBeanFactory beans;
    private final Set<String> groups;
    private Map<String, LeaderRecovery> added = Map.of();

    /**
     * Adds none yet.
     *
     * @param elections to add the recoveries to
     * @param beans of the context
     * @param groups the groups of partitions of the application
     */
    LeaderRecoveries(Elections elections, ConfigurableListableBeanFactory beans, Set<String> groups) {
        this.elections = elections;
        this.beans = beans;
        this.groups = Set.copyOf(groups);
    }

    void add() {
        added = inOrder();
        added.forEach(elections::addRecovery);
    }

    /** In the order of the beans, which only the provider knows. */
    private Map<String, LeaderRecovery> inOrder() {
        Map<String, LeaderRecovery> found = beans.getBeansOfType(LeaderRecovery.class);
        if (found.size() < 2) {
            return found;
        }
        Map<String, LeaderRecovery> ordered = new LinkedHashMap<>();
        beans.getBeanProvider(LeaderRecovery.class)
                .orderedStream()
                .forEach(next -> found.forEach((name, recovery) -> {
                    if (recovery == next) {
                        ordered.put(name, recovery);
                    }
                }));
        return ordered;
    }

    /** The elections of the recoveries, also where leaders do nothing else. The process takes part in all partitions anyway. */
    Set<String> names() {
        return added.values().stream()
                .map(LeaderRecovery::election)
                .filter(name -> !groups.contains(name))
                .collect(Collectors.toSet());
    }

    void remove() {
        added.values().forEach(elections::removeRecovery);
    }
}
