package dev.election.spring.calls;

import dev.election.LeaderWork;
import dev.election.spring.internal.shape.FailingWork;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides which calls of scheduled jobs go on that their election has admitted. */
public interface JobGate {

    /** Lets every call go on. */
    JobGate NONE = (bean, method, election, terms) -> null;

    /**
     * Determines whether a guarded method is a job whose calls are to be decided on. Called when a bean is created; fails if the terms
     * can't be kept.
     *
     * @param bean the name of the bean
     * @param method of the class of the bean
     * @param election the name of the election that guards it, or of the group of its partitions
     * @param terms as the guard says
     * @return {@code null} if every call may go on
     */
    @Nullable
    Job jobOf(String bean, Method method, String election, JobTerms terms);

    /** A job. */
    interface Job {

        /**
         * Called before each call, on the thread of the caller, after the election has admitted it. May wait for the store.
         *
         * @param work admitted by the election
         * @return the work to go on with, which closes that one; empty if the method must not be called now, and that work is closed
         */
        Optional<LeaderWork> enter(LeaderWork work);

        /**
         * Called when the method is about to be called. Must not wait for the store.
         *
         * @param work as which it was entered
         * @return the work that is closed when the call ends, which closes that one; a {@link FailingWork} receives its failure
         */
        default LeaderWork begun(LeaderWork work) {
            return work;
        }
    }
}
