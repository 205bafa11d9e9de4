package dev.election.spring.coroutines;

import dev.election.CurrentWork;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import java.util.Optional;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;

/**
 * The {@link CurrentWork} of a coroutine and its children: each thread that runs the coroutine, with any dispatcher, has it as its current
 * work. The coroutine of a guarded suspend function or {@code Flow} contains this element:
 *
 * <pre>{@code
 * @LeaderOnly
 * suspend fun report() = withContext(Dispatchers.IO) {
 *     orders.write(FencingToken.current().orElseThrow())  // or currentCoroutineContext()[CurrentWorkElement.KEY]?.token()
 * }
 * }</pre>
 *
 * <p>For coroutines of other scopes, or coroutines that a guarded method starts which does not suspend, pass it explicitly:
 * {@code scope.launch(CurrentWorkElement(CurrentWork.get())) { ... }}. It does not keep the work running.
 */
public final class CurrentWorkElement extends AbstractCoroutineContextElement
        implements ThreadContextElement<LeaderWork.Scope> {

    /** The key of this element in a coroutine's context. */
    public static final CoroutineContext.Key<CurrentWorkElement> KEY = new CoroutineContext.Key<>() {};

    private final CurrentWork work;

    /** Creates an element that makes the work the current one of the coroutines that have this element in their context. */
    public CurrentWorkElement(CurrentWork work) {
        super(KEY);
        this.work = work;
    }

    /** The token of the work, empty if it is none. */
    public Optional<FencingToken> token() {
        return work.token();
    }

    @Override
    public LeaderWork.Scope updateThreadContext(CoroutineContext context) {
        return work.onThisThread();
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, LeaderWork.Scope before) {
        before.close();
    }
}
