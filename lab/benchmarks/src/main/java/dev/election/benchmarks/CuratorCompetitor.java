package dev.election.benchmarks;

import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** A node with a session of Curator, whose length is that of a lease, and a latch for each election. */
final class CuratorCompetitor implements Competitor {

    private static final ExponentialBackoffRetry RETRIES = new ExponentialBackoffRetry(100, 3);

    private final CuratorFramework client;
    private final List<LeaderLatch> latches;

    CuratorCompetitor(String id, int port, Duration session, List<String> elections) {
        this.client = CuratorFrameworkFactory.builder()
                .connectString("127.0.0.1:" + port)
                .sessionTimeoutMs(Math.toIntExact(session.toMillis()))
                .connectionTimeoutMs(Math.toIntExact(session.toMillis()))
                .retryPolicy(RETRIES)
                .build();
        this.latches = elections.stream()
                .map(election -> new LeaderLatch(client, "/" + election, id))
                .toList();
    }

    @Override
    public void start(Runnable leads) throws Exception {
        client.start();
        for (LeaderLatch latch : latches) {
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    leads.run();
                }

                @Override
                public void notLeader() {}
            });
            latch.start();
        }
    }

    @Override
    public void stop() throws Exception {
        for (LeaderLatch latch : latches) {
            latch.close();
        }
        client.close();
    }
}
