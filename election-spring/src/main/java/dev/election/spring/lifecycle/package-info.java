/**
 * The elections in the life of a context: starts and stops them with the application. Begin with {@link ElectionLifecycle} and
 * {@link ContextElections}.
 *
 * <p>{@link Readiness} recognises the event with which a context is ready. Then, on the thread that publishes the event,
 * {@link ContextElections} joins the elections that the context needs ({@link WantedElections}) or listens to ({@link LeadershipAudience},
 * {@link EventAudience}), and {@link ElectionLifecycle} starts them.
 *
 * <p>On shutdown the elections stop first ({@link StopOrder}), while the beans that running work may need are still there. {@link StartWait}
 * logs a start that takes long, and {@link PendingStart} names the call that it waits for, which {@link StartingThread} finds.
 *
 * <p>{@link EventPublication} publishes leadership events as Spring events, on the threads of listeners, and {@link LeaderRecoveries} adds the
 * recovery beans of a context.
 */
@NullMarked
package dev.election.spring.lifecycle;

import org.jspecify.annotations.NullMarked;
