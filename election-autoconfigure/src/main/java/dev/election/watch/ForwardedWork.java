package dev.election.watch;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.ScheduledSlot;
import java.util.Optional;

/** Work that is that of somebody else, for subclasses that notice its end. */
abstract class ForwardedWork implements LeaderWork {

    private final LeaderWork work;

    ForwardedWork(LeaderWork work) {
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
