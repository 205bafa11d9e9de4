package dev.election.internal.engine;

import dev.election.Role;
import dev.election.internal.election.ElectionRunner;
import dev.election.internal.election.Identity;
import dev.election.internal.requests.Batch;
import dev.election.internal.requests.Conversation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A part of an engine beside its elections, such as the membership of the process. All methods but {@link #leave} are called on the loop and must not
 * block. A part sends its requests with those of the elections: it joins their batches, or asks for one by {@link Conversation#ask}.
 */
public interface EnginePart {

    /** The elections of this process start under that identity. Called before them. */
    default void start(Identity identity) {}

    /** An election of this process begins. Called before it takes part. */
    default void add(ElectionRunner election) {}

    /** Adds requests to a batch that is about to be sent, and to the one in which the elections start. */
    default void join(Batch batch) {}

    /** This process has another role in an election, which is amid a step: reactions that feed an election come later. */
    default void roleChanged(String election, Role role) {}

    /** Leaves, since the elections that started with that instance id have stopped. On any thread. */
    default CompletionStage<?> leave(String instance) {
        return CompletableFuture.completedFuture(null);
    }
}
