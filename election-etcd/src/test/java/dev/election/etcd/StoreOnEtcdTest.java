package dev.election.etcd;

import dev.election.etcd.internal.EtcdRecordStore;
import dev.election.harness.EtcdServer;
import dev.election.record.RecordStore;
import dev.election.store.test.StoreOnServerContract;
import dev.election.testing.OtherServers;
import org.junit.jupiter.api.AfterAll;

/** The contracts over one etcd. */
@OtherServers
class StoreOnEtcdTest extends StoreOnServerContract {

    private final EtcdServer server = new EtcdServer();
    private final EtcdRecordStore records = TestStore.over(server);

    @AfterAll
    void close() {
        records.close();
        server.close();
    }

    @Override
    protected RecordStore records() {
        return records;
    }

    @Override
    protected void snapshot() {
        server.snapshot();
    }

    @Override
    protected void kill() {
        server.kill();
    }

    @Override
    protected void restore() {
        server.restore();
    }
}
