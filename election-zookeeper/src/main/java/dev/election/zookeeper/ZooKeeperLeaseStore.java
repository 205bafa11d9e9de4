package dev.election.zookeeper;

import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.ForwardingLeaseStore;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.time.Duration;

/** Leases in ZooKeeper. No node is ephemeral: a lease ends by the clocks of the processes, not with a session. */
public final class ZooKeeperLeaseStore extends ForwardingLeaseStore implements AutoCloseable {

    private final ZooKeeperRecordStore records;

    private ZooKeeperLeaseStore(ZooKeeperRecordStore records, int history) {
        super(new RecordLeaseStore(records, "", new LeaseRules(history, 9)));
        this.records = records;
    }

    /**
     * Creates the store. Returns at once, whether the ensemble can be reached or not.
     *
     * @param shortestLease the shortest lease of the elections in this store: an answer is waited for a third of it, a second at least and
     *     ten seconds at most
     */
    public static ZooKeeperLeaseStore open(ZooKeeperAccess access, Duration shortestLease, ZooKeeperSettings settings) {
        return new ZooKeeperLeaseStore(new ZooKeeperRecordStore(access, settings, shortestLease), settings.history());
    }

    @Override
    public void close() {
        records.close();
    }
}
