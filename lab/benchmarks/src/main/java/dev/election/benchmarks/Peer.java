package dev.election.benchmarks;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.Link;
import dev.election.members.MemberEvent;
import dev.election.members.MemberJoined;
import dev.election.members.MemberLeft;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.RedisLeaseStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A member inside this JVM that notes when it hears of others, and can be cut off: to the store and to others as if it had been killed. */
final class Peer implements AutoCloseable {

    private final String id;
    private final Link link;
    private final RedisLeaseStore store;
    private final ElectionEngine engine;
    private final Members members;
    private final Election election;
    private final Map<String, CompletableFuture<Long>> heard = new ConcurrentHashMap<>();
    private long startedAt;

    private Peer(int redisPort, String id, Duration lease) {
        this.id = id;
        this.link = new Link(redisPort);
        this.store = RedisLeaseStore.open(RedisAccess.at(RedisURI.create("127.0.0.1", link.port())), "bench", lease);
        this.engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, "127.0.0.1"))
                .timing(Timing.ofLease(lease))
                .members(MemberSettings.none())
                .build();
        this.members = engine.members().orElseThrow();
        this.election = engine.get(Election.DEFAULT);
        members.addListener(this::note);
        engine.addListener(new LeadershipListener() {
            @Override
            public void onAcquired(LeadershipEvent.Acquired event) {
                note("leads");
            }
        });
    }

    static Peer start(int redisPort, String id, Duration lease) {
        Peer peer = new Peer(redisPort, id, lease);
        peer.startedAt = System.nanoTime();
        peer.engine.start();
        return peer;
    }

    String id() {
        return id;
    }

    long startedAt() {
        return startedAt;
    }

    Election election() {
        return election;
    }

    int count() {
        return members.count();
    }

    /** When it heard that this one is there. */
    long joined(Peer other) {
        return await("joined " + other.id);
    }

    /** When it heard that this one is gone. */
    long left(Peer other) {
        return await("left " + other.id);
    }

    /** Forgets that it has led. */
    void forgetLeadership() {
        heard.remove("leads");
    }

    /** When it began to lead. */
    CompletableFuture<Long> leads() {
        return of("leads");
    }

    /** Nothing it sends arrives any more, and nothing reaches it. Returns the time. */
    long cutOff() {
        link.hang();
        return System.nanoTime();
    }

    @Override
    public void close() {
        engine.close();
        store.close();
        link.close();
    }

    private void note(MemberEvent event) {
        if (event instanceof MemberJoined) {
            note("joined " + event.member().id());
        } else if (event instanceof MemberLeft) {
            note("left " + event.member().id());
        }
    }

    private void note(String what) {
        of(what).complete(System.nanoTime());
    }

    private CompletableFuture<Long> of(String what) {
        return heard.computeIfAbsent(what, unknown -> new CompletableFuture<>());
    }

    private long await(String what) {
        return of(what).copy().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
