/**
 * The elections in the life of a context: starts and stops them with the application, and leader-only beans with leadership. Begin with
 * {@link ElectionLifecycle}, {@link LeaderBoundRegistry} and {@link LeaderBoundBeans}.
 *
 * <p>{@link Readiness} recognises the event with which a context is ready. Then, on the thread that publishes the event,
 * {@link LeaderBoundRegistry} and {@link ContextElections} join the elections that the context needs ({@link WantedElections}), and
 * {@link ElectionLifecycle} starts them. On shutdown the elections stop first ({@link StopOrder}), while the beans that running work may
 * need are still there. {@link StartWait} logs a start that takes long.
 *
 * <p>{@link LeaderBoundMarks} reads which {@code Lifecycle} beans are leader-only, and {@link LeaderBoundLifecycleProcessor} keeps the
 * context from starting them. {@link LeaderBoundBeans} starts and stops those of one election, on threads of listeners; a
 * {@link LeaderBoundRun} is one bean during one leadership, and repeats a failed start on a thread for delayed tasks.
 *
 * <p>{@link EventPublication} publishes leadership events as Spring events, and {@link LeaderRecoveries} adds the recovery beans of a
 * context.
 */
@NullMarked
package dev.election.spring.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
