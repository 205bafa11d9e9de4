package dev.election;

import java.util.Optional;

/** Leader work that forwards every call to other work. A subclass changes or observes some of the calls, such as {@link #close}. */
public abstract class ForwardingLeaderWork implements LeaderWork {

    private final LeaderWork work;

    /** Creates work that forwards to the given one. */
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
    public Optional<Partition> partition() {
        return work.partition();
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
