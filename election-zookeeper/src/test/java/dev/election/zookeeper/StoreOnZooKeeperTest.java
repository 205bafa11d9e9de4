package dev.election.zookeeper;

import dev.election.harness.ZooKeeperServer;
import dev.election.record.RecordStore;
import dev.election.store.test.StoreOnServerContract;
import dev.election.testing.OtherServers;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;

/** The contracts over one server. */
@OtherServers
class StoreOnZooKeeperTest extends StoreOnServerContract {

    private final ZooKeeperServer server = TestEnsemble.server();
    private final ZooKeeperRecordStore records = TestEnsemble.records(server.address() + "/a/shop");

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

    /** Those, and some that look like parts of a path. */
    @Override
    protected List<String> keysThatLookAlike() {
        return Stream.concat(super.keysThatLookAlike().stream(), Stream.of(".", "..", "like%2Fa", "elections/like"))
                .toList();
    }
}
