package dev.election.benchmarks;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.PostgresServer;
import dev.election.jdbc.JdbcDatabase;
import dev.election.jdbc.JdbcLeaseStore;
import dev.election.jdbc.JdbcSettings;
import dev.election.jdbc.JdbcTable;
import dev.election.jdbc.TableCreation;
import java.time.Duration;

/** A node of this library over a database. */
final class ElectionCompetitor implements Competitor {

    private final JdbcLeaseStore store;
    private final ElectionEngine engine;

    ElectionCompetitor(String id, String url, Duration lease, Duration pollInterval) {
        store = JdbcLeaseStore.open(
                JdbcDatabase.at(url, PostgresServer.SUPERUSER, ""),
                lease,
                new JdbcSettings(JdbcTable.DEFAULT, TableCreation.ALWAYS, pollInterval, 100));
        engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, "127.0.0.1"))
                .timing(Timing.ofLease(lease))
                .build();
    }

    @Override
    public void start(Runnable leads) {
        engine.get(Election.DEFAULT).addListener(new LeadershipListener() {
            @Override
            public void onAcquired(LeadershipEvent.Acquired event) {
                leads.run();
            }
        });
        engine.start();
    }

    @Override
    public void stop() {
        engine.close();
        store.close();
    }
}
