/**
 * The processes and links of a run: nodes, Redis servers, Sentinels, Clusters, PostgreSQL servers, and the proxies between them.
 *
 * <p>Begin with {@link Group}: its nodes, its store and its history. A {@link Topology} is the store with the links to it, of one kind of
 * Redis or of PostgreSQL each. A {@link Member} is a place in the group; the {@link NodeProcess} in it may die and be replaced. A thread
 * for each process reads its entries and appends them to the history.
 *
 * <p>{@link Fences} are the resources that the tokens protect, in a Redis and a database that nobody breaks. {@link OwnClock} gives one
 * server a time of day of its own. {@link Precedence} keeps other processes of the machine from holding up the measured ones.
 */
@NullMarked
package dev.election.faults.world;

import org.jspecify.annotations.NullMarked;
