package dev.election;

import java.util.Optional;

/** Hands every call on to other work. To be extended by what changes or notices some of them, such as its end. */
public abstract class ForwardingLeaderWork implements LeaderWork {

    private final LeaderWork work;

    /** Hands on to that work. */
    protected ForwardingLeaderWork(LeaderWork work) {
        this.work = work;
    }

    @Override
    public Election election() {
        return work.election();
    }

    @Override
    public FencingToken token() {
        return work.token();
    }

    @Override
    public Optional<ScheduledSlot> slot() {
        return work.slot();
    }

    @Override
    public boolean isCurrent() {
        return work.isCurrent();
    }

    @Override
    public Optional<LeaderWork> beginPart() {
        return work.beginPart();
    }

    @Override
    public void close() {
        work.close();
    }
}
