package dev.election.etcd;

import dev.election.etcd.internal.EtcdRecordStore;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.ForwardingLeaseStore;
import java.time.Duration;

/** Elections in etcd. */
public final class EtcdLeaseStore extends ForwardingLeaseStore implements AutoCloseable {

    private final EtcdRecordStore records;

    private EtcdLeaseStore(EtcdRecordStore records, EtcdSettings settings) {
        super(new RecordLeaseStore(records, "", new LeaseRules(settings.history())));
        this.records = records;
    }

    /**
     * Creates the store. Returns at once, whether etcd can be reached or not.
     *
     * @param shortestLease the shortest lease of the elections in this store: an answer is waited for a third of it, a second at least and
     *     ten seconds at most
     */
    public static EtcdLeaseStore open(EtcdAccess access, Duration shortestLease, EtcdSettings settings) {
        return new EtcdLeaseStore(new EtcdRecordStore(access, settings, shortestLease), settings);
    }

    @Override
    public void close() {
        records.close();
    }
}
