package dev.election.testing;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.redis.RedisLeaseStore;
import java.time.Duration;
import java.util.Optional;

/** A process that takes part in an election, but for the process: it shares nothing with other nodes. */
public final class Node implements AutoCloseable {

    private final RedisLeaseStore store;
    private final ElectionEngine engine;
    private final Election election;

    Node(String id, RedisLeaseStore store, String election, Duration lease, Journal journal) {
        this.store = store;
        this.engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, id + ".test:8080"))
                .timing(new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(2)))
                // At once and on the election's thread: so the journal is in the order of what happened.
                .callbacks(Runnable::run)
                .build();
        this.election = engine.get(election);
        this.election.addListener(new EachEvent(event -> journal.add(id, event)));
        engine.start();
    }

    public String id() {
        return engine.node();
    }

    public Election election() {
        return election;
    }

    public boolean isLeader() {
        return election.isLeader();
    }

    /** Empty while this node does not lead. */
    public Optional<FencingToken> token() {
        return election.leadership().map(Leadership::token);
    }

    /** The store alone: afterwards this node is cut off. */
    public void closeStore() {
        store.close();
    }

    /** As an orderly shutdown does: releases and leaves. */
    @Override
    public void close() {
        engine.close();
        store.close();
    }

    /** As the end of a process that had no time to say so: the lease stays until it ends. */
    public void crash() {
        store.close();
        engine.close();
    }

    @Override
    public String toString() {
        return id();
    }
}
