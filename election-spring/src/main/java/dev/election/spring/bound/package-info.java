/**
 * Leader-only {@code Lifecycle} beans: leadership starts and stops them, and not the context. Begin with {@link LeaderBoundRegistry} and
 * {@link LeaderBoundBeans}.
 *
 * <p>{@link LeaderBoundMarks} reads which beans are marked, on their classes or on their {@code @Bean} methods. Where there are some,
 * the {@link LeaderBoundLifecycleProcessor} takes the place of the lifecycle processor of the context ({@link ContextLifecycleProcessor}) and
 * keeps the context from starting them. {@link LateLeaderBoundBeans} rejects those that are created too late.
 *
 * <p>When the context is ready, {@link LeaderBoundRegistry} joins the elections of the marked beans and binds a group of
 * {@link LeaderBoundBeans} to each. A group starts its beans when this node becomes leader and stops them when it no longer leads, on threads
 * of listeners and in the order of their phases.
 *
 * <p>A {@link LeaderBoundRun} is one bean during one leadership. It counts as running work until the bean has stopped, and repeats a failed
 * start on a thread for delayed tasks; meanwhile the bean is a {@link FailedStart}.
 */
@NullMarked
package dev.election.spring.bound;

import dev.election.spring.LeaderBoundLifecycleProcessor;
import org.jspecify.annotations.NullMarked;
