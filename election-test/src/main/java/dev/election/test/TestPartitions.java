package dev.election.test;

import dev.election.Election;
import dev.election.Elections;
import dev.election.partitions.PartitionGroup;
import dev.election.partitions.Partitions;
import java.util.Collection;
import java.util.Optional;

/**
 * The groups of the engine, with {@link TestElections} as their partitions.
 *
 * @param engine the groups of the engine
 * @param elections the elections of the test
 */
record TestPartitions(Partitions engine, Elections elections) implements Partitions {

    @Override
    public PartitionGroup of(String group) {
        return new Group(engine.of(group), elections);
    }

    @Override
    public Collection<PartitionGroup> all() {
        return engine.all().stream()
                .<PartitionGroup>map(group -> new Group(group, elections))
                .toList();
    }

    private record Group(PartitionGroup group, Elections elections) implements PartitionGroup {

        @Override
        public String name() {
            return group.name();
        }

        @Override
        public int count() {
            return group.count();
        }

        @Override
        public boolean isOnePerProcess() {
            return group.isOnePerProcess();
        }

        @Override
        public Optional<String> otherCount() {
            return group.otherCount();
        }

        @Override
        public int forKey(String key) {
            return group.forKey(key);
        }

        @Override
        public Election election(int index) {
            return elections.get(group.election(index).name());
        }
    }
}
