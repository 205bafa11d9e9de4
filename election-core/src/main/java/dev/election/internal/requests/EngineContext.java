package dev.election.internal.requests;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.threads.CallbackThreads;
import dev.election.internal.threads.ElectionThread;
import dev.election.store.LeaseStore;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Store, loop, clock and threads that the elections and the parts of an engine share.
 *
 * @param store answers each request
 * @param conversation sends the requests of all of them in batches
 * @param loop where they decide
 * @param clock the time by which they decide
 * @param callbacks where listeners and results run
 * @param shutdown ends the threads of the engine
 */
public record EngineContext(
        AnsweringStore store,
        Conversation conversation,
        Loop loop,
        Clock clock,
        Executor callbacks,
        Runnable shutdown) {

    /** Runs a task where listeners run, or here if it is refused there. */
    public void callBack(Runnable task) {
        try {
            callbacks.execute(task);
        } catch (RuntimeException | Error rejected) {
            task.run();
        }
    }

    /**
     * Creates the context of an engine.
     *
     * @param loop where the elections decide; {@code null} for a thread of the engine
     * @param callbacks where listeners run; {@code null} for threads of the engine
     */
    public static EngineContext over(LeaseStore store, Clock clock, @Nullable Loop loop, @Nullable Executor callbacks) {
        AnsweringStore answering = new AnsweringStore(store);
        ElectionThread thread = new ElectionThread(clock);
        CallbackThreads own = new CallbackThreads();
        Loop deciding = loop == null ? thread : loop;
        return new EngineContext(
                answering,
                new Conversation(answering, clock, deciding),
                deciding,
                clock,
                callbacks == null ? own : callbacks,
                () -> {
                    thread.shutdown();
                    own.finish();
                });
    }
}
