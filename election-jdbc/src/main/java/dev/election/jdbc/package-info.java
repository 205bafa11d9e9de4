/**
 * The lease store over a table of PostgreSQL, MySQL, MariaDB or H2, and what an application says of its database.
 *
 * <p>{@link JdbcLeaseStore} is the store, {@link JdbcDatabase} says how to reach the database, and {@link JdbcSettings} names the table and says
 * how changes are noticed. {@link JdbcVitals} is what an examination has shown. The rules of leases are those of {@code dev.election.record}; the
 * table is in {@code internal}. No method of the store blocks: its requests run on two threads of its own.
 */
@NullMarked
package dev.election.jdbc;

import org.jspecify.annotations.NullMarked;
