package dev.election.etcd;

import dev.election.etcd.internal.EtcdRecordStore;
import dev.election.harness.EtcdServer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores over servers for tests. */
final class TestStore {

    static final Duration LEASE = Duration.ofSeconds(15);

    private TestStore() {}

    static EtcdAccess access(EtcdAccess.@Nullable User user, EtcdServer... members) {
        return new EtcdAccess(List.of(members).stream().map(EtcdServer::address).toList(), user, () -> null);
    }

    static EtcdRecordStore over(EtcdServer... members) {
        return over(access(null, members));
    }

    static EtcdRecordStore over(EtcdAccess access) {
        return new EtcdRecordStore(access, EtcdSettings.DEFAULT, LEASE);
    }
}
