/**
 * Guards of bean methods: a check before each call whether this node leads. Begin with {@link LeaderGuardPostProcessor},
 * {@link LeaderInterceptor} and {@link ReturnShape}.
 *
 * <p>When a bean is created, {@link LeaderGuardPostProcessor} looks for {@code @LeaderOnly} and {@code @ConditionalOnLeader}
 * ({@link GuardedMethods}, read by {@link GuardReader}; {@link LibraryAnnotations} rules out most classes) and adds a proxy.
 * Guards that can't take effect fail the start ({@link Interceptable}, {@link MissedBeans}). {@link LeaderGuardPrecedence} keeps the
 * check before all other advice.
 *
 * <p>A call comes in on the thread of the caller. {@link LeaderInterceptor} begins leader work at the election, or returns an empty
 * result or an exception. {@link ReturnShape} says when the work ends: with the method, with its stage, or with a subscription, for
 * which a {@link ColdShape} calls the method anew. Coroutines and flows of Kotlin have shapes of their own.
 *
 * <p>If later advice moves the call to another thread, {@link CurrentWorkInterceptor} restores the current work there. {@link CallPlace}
 * knows where a call is, to end it when it runs for too long, and {@link Interruptions} interrupts calls when leadership is lost.
 *
 * <p>A {@link JobGate} decides further on calls of scheduled jobs, and a {@link CallObserver} sees all calls.
 */
@NullMarked
package dev.election.spring.internal.guard;

import org.jspecify.annotations.NullMarked;
