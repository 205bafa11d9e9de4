/**
 * The status of the elections as this node has observed it, for the endpoint, health and metrics.
 *
 * <p>Events of the elections come in on the threads of listeners: {@link ElectionWatch} turns them into one immutable {@link
 * ElectionStatus} for each election, which any thread reads. It asks the store nothing.
 *
 * <p>Guarded calls come in on their own threads. {@link RunningCalls} keeps those that are running, for {@link OutlastingWork}, which warns
 * of work that outlived a leadership, and {@link StuckWork}, which looks for calls that have run for too long on a thread of its own and
 * warns or abdicates.
 *
 * <p>{@link NodeMemory} is all that the endpoint and health read without asking the store: the status of the elections, the {@link Impediment}s
 * of leader work, and why this node is no candidate yet.
 *
 * <p>The interfaces {@link Impediments}, {@link LeaderHealth}, {@link MembersObserver} and {@link MessagesObserver} let other packages
 * report or receive without knowing each other.
 */
@NullMarked
package dev.election.autoconfigure.internal.watch;

import org.jspecify.annotations.NullMarked;
