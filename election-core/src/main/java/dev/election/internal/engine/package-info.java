/**
 * Runs the elections of a process: gives the protocol its inputs, and carries out its effects by the store, the listeners and the gate of leader work.
 *
 * <p>Begin with {@link dev.election.internal.engine.Engine}, which has all elections of the process, then {@code ElectionRunner}, which runs the
 * {@link dev.election.internal.protocol.Protocol} of one election.
 *
 * <p>All decisions are made on one {@link dev.election.internal.engine.Loop}, one task after the other: replies and events of the store, alarms, and
 * calls of the application are inputs there. A {@code Conversation} sends the requests of all elections in batches. Callers on any thread have a
 * {@code LocalElection}, which reads an immutable {@code Snapshot} and counts leader work in a {@code WorkGate}. The loop never calls the application:
 * each listener has a {@code ListenerQueue} and runs on the executor for callbacks, as recoveries do ({@code Recovery}).
 *
 * <ul>
 *   <li>Members: {@code Membership} sends the heartbeats and keeps a {@code RosterCopy}. Only used if the application or steering needs the members.
 *   <li>Steering: {@code SteeredElections} gives each election its place in the order of succession, and obeys orders to drain this node.
 *   <li>Messages: {@code MessageExchange} sends and subscribes, {@code IncomingMessages} calls handlers.
 *   <li>Requests to other nodes: {@code RemoteAbdication} asks the leader to abdicate, and evicts one that does not react.
 *   <li>Logs: {@code TransitionLog}, {@code IncidentLog} and {@code TogetherLog}.
 * </ul>
 */
@NullMarked
package dev.election.internal.engine;

import org.jspecify.annotations.NullMarked;
