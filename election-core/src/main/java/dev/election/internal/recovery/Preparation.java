package dev.election.internal.recovery;

import dev.election.FencingToken;
import dev.election.LeaderRecovery;
import dev.election.LeaderWork;
import java.util.concurrent.CompletableFuture;

/** A recovery of the engine itself, which waits for replies of the store and so needs no thread. */
public interface Preparation extends LeaderRecovery {

    /** Begins on the loop. The result is cancelled when the leadership or the time ends. */
    CompletableFuture<Void> begin(FencingToken token);

    @Override
    default void recover(LeaderWork work) throws Exception {
        Void unused = begin(work.token()).get();
    }
}
