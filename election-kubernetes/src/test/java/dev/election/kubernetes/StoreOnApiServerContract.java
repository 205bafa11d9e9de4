package dev.election.kubernetes;

import dev.election.harness.ApiServer;
import dev.election.kubernetes.internal.KubernetesRecordStore;
import dev.election.record.RecordStore;
import dev.election.store.test.RecordStoreContract;
import dev.election.store.test.StoreOnServerContract;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** The contracts over one API server. */
abstract class StoreOnApiServerContract extends StoreOnServerContract {

    final ApiServer server = open();
    private final KubernetesRecordStore records =
            new KubernetesRecordStore(TestAccess.to(server), KubernetesSettings.DEFAULT, TestNode.LEASE);

    abstract ApiServer open();

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

    /** Etcd is restored below an API server that goes on: no connection ends. */
    @Nested
    class RecordsRestoredBelow extends RecordStoreContract {

        @Override
        protected RecordStore store() {
            return records;
        }

        @Override
        protected Optional<Standby> standby() {
            return Optional.of(new Standby() {
                @Override
                public void detach() {
                    server.snapshot();
                    // In a cluster somebody writes all the time; without that the versions would not fall.
                    for (int i = 0; i < 10; i++) {
                        ask(records.replace(UUID.randomUUID().toString(), null, "written since"));
                    }
                }

                @Override
                public void promote() {
                    server.restoreBelow();
                }
            });
        }
    }
}
