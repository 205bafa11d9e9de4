package dev.election.internal.partitions;

import dev.election.Election;
import dev.election.Elections;
import dev.election.partitions.PartitionGroup;
import dev.election.partitions.Partitions;
import dev.election.support.PartitionName;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The groups for callers on any thread. {@link GroupCount} runs on the loop. */
public final class LocalPartitions implements Partitions {

    private final Map<String, PartitionGroup> groups = new TreeMap<>();

    public LocalPartitions(Collection<GroupCount> counts, Elections elections) {
        counts.forEach(count -> groups.put(count.group(), new LocalGroup(count, elections)));
    }

    @Override
    public PartitionGroup of(String group) {
        PartitionGroup known = groups.get(group);
        if (known == null) {
            throw new IllegalArgumentException("There is no group of partitions '" + group
                    + "' in this process, which has " + groups.keySet() + ": configure its count");
        }
        return known;
    }

    @Override
    public Collection<PartitionGroup> all() {
        return Collections.unmodifiableCollection(groups.values());
    }

    private record LocalGroup(GroupCount known, Elections elections) implements PartitionGroup {

        @Override
        public String name() {
            return known.group();
        }

        @Override
        public int count() {
            return known.count();
        }

        @Override
        public boolean isOnePerProcess() {
            return known.isOnePerProcess();
        }

        @Override
        public Optional<String> otherCount() {
            return known.otherCount();
        }

        @Override
        public int forKey(@Nullable String key) {
            if (isOnePerProcess()) {
                throw new IllegalStateException(
                        "The group '" + name() + "' has no keys: a process leads one partition at"
                                + " most, so that some may have no leader. Use a group that is shared out");
            }
            if (key == null) {
                throw new IllegalArgumentException(
                        "A key of the group '" + name() + "' is null, and so in no partition: use another one");
            }
            CRC32 hash = new CRC32();
            hash.update(key.getBytes(StandardCharsets.UTF_8));
            return (int) (hash.getValue() % count());
        }

        @Override
        public List<Integer> withoutLeader() {
            List<Integer> all = PartitionGroup.super.withoutLeader();
            return isOnePerProcess() ? all.stream().limit(known.free()).toList() : all;
        }

        @Override
        public Election election(int index) {
            if (index < 0 || index >= count()) {
                throw new IllegalArgumentException("The group '" + name() + "' has the partitions 0 to " + (count() - 1)
                        + ", and no partition " + index);
            }
            return elections.get(PartitionName.of(name(), index));
        }
    }
}
