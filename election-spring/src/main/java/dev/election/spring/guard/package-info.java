/**
 * Guards of bean methods: a check before each call whether this node leads. Begin with {@link LeaderGuardPostProcessor} and
 * {@link LeaderInterceptor}.
 *
 * <p>When a bean is created, {@link LeaderGuardPostProcessor} looks for {@code @LeaderOnly} and {@code @ConditionalOnLeader}
 * ({@link GuardedMethods}, read by {@link GuardReader}) and adds a proxy. Guards that can't take effect fail the start ({@link GuardRules},
 * {@link MissedBeans}). {@link LeaderGuardPrecedence} keeps the check before all other advice. {@link GuardedElsewhere} excludes types whose
 * guard is enforced by others, such as jobs of Quartz. {@link MarkedBeans} finds guards also in a context that enforces none.
 *
 * <p>A call comes in on the thread of the caller. {@link LeaderInterceptor} begins leader work at the election, or returns an empty
 * result or an exception. The shape of the result ({@code internal.shape}) says when the work ends: with the method, with its stage, or with a
 * subscription, for which the method is called anew. A call that runs for longer than {@code atMostFor} is ended ({@code internal.interruption}).
 *
 * <p>If later advice moves the call to another thread, {@link CurrentWorkInterceptor} restores the current work there.
 * {@link CoroutineInterceptor} runs suspend functions. A job gate decides further on calls of scheduled jobs, and observers see all calls
 * ({@code dev.election.spring.calls}).
 */
@NullMarked
package dev.election.spring.guard;

import org.jspecify.annotations.NullMarked;
