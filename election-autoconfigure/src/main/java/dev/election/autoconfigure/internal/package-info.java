/**
 * Parts of the wiring that follow the life of the context, on the thread that starts or stops it. Begin with {@link BootReadiness}, which
 * recognises the moment in which the application is ready.
 *
 * <p>Before that, {@link MissingModules} fails the start where the application asks for a module that is not on the class path. From then on
 * {@link MemberUse} creates the members if the application uses them, or if the endpoint shows them; {@link MemberWiring} connects
 * them with the application and tells them its {@link WebAddress}. {@link HealthReport} asks health contributors every 5 s
 * ({@link HealthQuestions}): one thread keeps the time, another asks, so that a contributor that hangs counts as down.
 * {@link JobsLifecycle} begins and ends the records of jobs. {@link OnceMigrations} and {@link OnceTasks} run tasks
 * once for all processes: when beans are made, and before the other runners.
 */
@NullMarked
package dev.election.autoconfigure.internal;

import org.jspecify.annotations.NullMarked;
