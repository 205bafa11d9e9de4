/**
 * Membership of this process: a part of the engine. It tells other processes about this one, and keeps a copy of what they tell.
 *
 * <p>Begin with {@link dev.election.internal.members.Membership}. Once somebody needs the members, it sends a heartbeat with the requests of the elections, as
 * {@code BeatSchedule} plans it. The reply contains what has changed since the last one; messages of the store bring changes between two beats. The
 * {@link dev.election.internal.members.RosterCopy} takes both, and lets a member go that has not been heard of for two and a half leases.
 *
 * <p>{@link dev.election.internal.members.OwnMember} describes this process, {@link dev.election.internal.members.MemberText} is how it is written.
 * {@link dev.election.internal.members.KnownMembers} is an immutable view for readers on any thread. All else happens on the loop.
 *
 * <p>An order to drain a node is kept as a member of its own ({@link dev.election.internal.members.DrainMark}). {@code DuplicateMembers} and
 * {@code OtherLeases} log what contradicts itself among the members. Steering and messages are built on
 * {@link dev.election.internal.members.Membership.LifecycleListener}.
 */
@NullMarked
package dev.election.internal.members;

import org.jspecify.annotations.NullMarked;
