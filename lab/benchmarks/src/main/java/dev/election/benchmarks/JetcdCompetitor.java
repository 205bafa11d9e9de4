package dev.election.benchmarks;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.election.LeaderKey;
import io.etcd.jetcd.election.ResignResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** A node with one lease of etcd, kept alive by jetcd, under which it campaigns for each election. Stopped, it resigns. */
final class JetcdCompetitor implements Competitor {

    private final ByteSequence id;
    private final Client client;
    private final Duration lease;
    private final List<String> elections;
    private final Map<String, LeaderKey> led = new ConcurrentHashMap<>();

    JetcdCompetitor(String id, int port, Duration lease, List<String> elections) {
        this.id = bytes(id);
        this.client = Client.builder().endpoints("http://127.0.0.1:" + port).build();
        this.lease = lease;
        this.elections = elections;
    }

    @Override
    public void start(Runnable leads) throws ExecutionException, InterruptedException {
        long granted = client.getLeaseClient().grant(lease.toSeconds()).get().getID();
        CloseableClient unused = client.getLeaseClient().keepAlive(granted, new Quiet());
        for (String election : elections) {
            CompletableFuture<Void> unusedCampaign = client.getElectionClient()
                    .campaign(bytes(election), granted, id)
                    .thenAccept(won -> {
                        led.put(election, won.getLeader());
                        leads.run();
                    });
        }
    }

    @Override
    public void stop() throws ExecutionException, InterruptedException {
        for (LeaderKey key : led.values()) {
            ResignResponse unused = client.getElectionClient().resign(key).get();
        }
        client.close();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    private static final class Quiet implements StreamObserver<LeaseKeepAliveResponse> {

        @Override
        public void onNext(LeaseKeepAliveResponse kept) {}

        @Override
        public void onError(Throwable failure) {
            failure.printStackTrace();
        }

        @Override
        public void onCompleted() {}
    }
}
