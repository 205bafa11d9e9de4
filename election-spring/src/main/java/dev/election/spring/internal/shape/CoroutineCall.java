package dev.election.spring.internal.shape;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import dev.election.spring.internal.interruption.Interruptions;
import java.util.concurrent.CancellationException;
import kotlin.Unit;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.Job;
import org.jspecify.annotations.Nullable;

/**
 * A call of a guarded suspend function. Its coroutine finds it in the context of the subscriber.
 *
 * <p>The work ends with the result. If the caller is cancelled, it does not wait for the coroutine, which is cancelled too and may need
 * time: then the work ends with the coroutine.
 */
public final class CoroutineCall {

    private final LeaderWork work;
    private final CurrentWork current;

    /** Coroutine and caller each write their own field before they read the other's: at least one of them sees both. */
    private volatile @Nullable Job job;

    private volatile boolean abandoned;

    private volatile @Nullable CancellationException cancelled;

    CoroutineCall(LeaderWork work, CurrentWork current) {
        this.work = work;
        this.current = current;
    }

    public CurrentWork current() {
        return current;
    }

    /** Notes the coroutine that is about to do the work. Fails if the call was cancelled. */
    public void begun(Job job) {
        this.job = job;
        if (abandoned) {
            throw new CancellationException("The caller was cancelled");
        }
        CancellationException reason = cancelled;
        if (reason != null) {
            throw reason;
        }
    }

    /** Cancels the call, which has run for too long. */
    void cancel() {
        CancellationException reason = new CancellationException("The call has run for longer than atMostFor");
        cancelled = reason;
        Job begun = job;
        if (begun != null) {
            cancel(begun, reason);
        }
    }

    /** Lets a loss of the leadership cancel the job from now on. */
    public void cancelOnLoss(Job job, Interruptions interruptions) {
        CancellationException loss = new CancellationException(
                "Leadership of election '" + work.election().name() + "' with token " + work.token() + " was lost");
        Interruptions.Call interruption = interruptions.enter(work.election(), work.token(), () -> cancel(job, loss));
        onceEnded(job, interruption::close);
    }

    /** Ends the work of a caller that was cancelled, together with its coroutine if that has begun. */
    void abandoned() {
        abandoned = true;
        FailingWork.tell(work, new CancellationException("The caller was cancelled"));
        Job begun = job;
        if (begun == null) {
            work.close();
        } else {
            onceEnded(begun, work::close);
        }
    }

    /** Cancels the job on another thread, since the rest of the coroutine may not run on the one that cancels it. */
    private static void cancel(Job job, CancellationException reason) {
        Dispatchers.getDefault().dispatch(EmptyCoroutineContext.INSTANCE, () -> job.cancel(reason));
    }

    private static void onceEnded(Job job, Runnable action) {
        job.invokeOnCompletion(failure -> {
            action.run();
            return Unit.INSTANCE;
        });
    }
}
