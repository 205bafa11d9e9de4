/**
 * A node in a process of its own: the real engine over the real store, and the recorders of what it believes and writes.
 *
 * <p>{@link Node} is the main class, {@link ApplicationNode} and {@link ImageNode} are others: a Spring Boot application, and copies of one
 * process image. {@link NodeSettings} are the arguments.
 *
 * <p>Two threads record. {@link BeliefPoll} asks {@code isLeader()} every few milliseconds. {@link LeaderWorker} writes to each {@link
 * FencedResource} under its token while the node leads. {@link UsageReport} adds the resources of the process now and then. All entries go
 * by {@link Voice} to standard output, where they survive a {@code kill -9}.
 */
@NullMarked
package dev.election.faults.node;

import org.jspecify.annotations.NullMarked;
