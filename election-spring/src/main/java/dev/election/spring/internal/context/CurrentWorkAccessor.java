package dev.election.spring.internal.context;

import dev.election.CurrentWork;
import dev.election.LeaderWork;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Carries the {@link CurrentWork} between threads and contexts. Reactor's automatic context propagation, which only an application can switch
 * on, makes the work in the context of a subscriber that of the thread by it.
 */
public final class CurrentWorkAccessor implements ThreadLocalAccessor<CurrentWork> {

    /** Returns the key that guarded publishers use, too. */
    @Override
    public Object key() {
        return CurrentWork.class;
    }

    @Override
    public @Nullable CurrentWork getValue() {
        CurrentWork work = CurrentWork.get();
        return work.token().isPresent() ? work : null;
    }

    /** Makes the work that of this thread. The caller restores what was before. */
    @Override
    public void setValue(CurrentWork work) {
        LeaderWork.Scope unused = work.onThisThread();
    }

    @Override
    public void setValue() {
        setValue(CurrentWork.none());
    }
}
