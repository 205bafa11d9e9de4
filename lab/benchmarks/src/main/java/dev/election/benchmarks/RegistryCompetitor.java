package dev.election.benchmarks;

import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A leader initiator of Spring Integration over a lock of its registry; all but the lease as it is by default. */
final class RegistryCompetitor implements Competitor {

    private final DefaultLockRepository repository;
    private final LockRegistryLeaderInitiator initiator;
    private volatile Runnable whenLeading = () -> {};

    RegistryCompetitor(String id, DataSource pool, Duration lease) {
        repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        initiator = new LockRegistryLeaderInitiator(
                new JdbcLockRegistry(repository, lease), new DefaultCandidate(id, "leader") {
                    @Override
                    public void onGranted(Context context) {
                        whenLeading.run();
                    }
                });
    }

    @Override
    public void start(Runnable leads) {
        whenLeading = leads;
        initiator.start();
    }

    @Override
    public void stop() {
        initiator.stop();
        initiator.destroy();
        repository.close();
    }
}
