/**
 * The record store over a database: its table, connections and notifications, and what differs between databases.
 *
 * <p>{@link JdbcRecordStore} takes a read or a change of a text and returns its outcome. {@link Requests} runs it on one of two threads, each
 * with a {@link Session} that is kept for the next request; a failure becomes an answer by {@link SqlProblem}. {@link Dialect} holds what
 * differs between databases, {@link Statements} the statements made of it. Begin with these in that order.
 *
 * <ul>
 * <li>News: {@link KeyWatch} polls the watched keys on the threads of the requests. {@link NewsListener} waits on a thread and a connection of
 *     its own for {@link PostgresNotifications}, which only make the poll look earlier. Watchers are called on the threads of the requests.
 * <li>Failover: {@link ServersOfUrl} looks at all servers of a URL beside each new connection, so that an old primary that came back is not
 *     used.
 * <li>Start: {@link TableScript} creates the table, {@link DatabaseCheckUp} examines the database for the checks.
 * </ul>
 */
@NullMarked
package dev.election.jdbc.internal;

import org.jspecify.annotations.NullMarked;
