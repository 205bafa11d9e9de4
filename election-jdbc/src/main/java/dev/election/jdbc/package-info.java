/** Leases in a table of a database, over JDBC. */
@NullMarked
package dev.election.jdbc;

import org.jspecify.annotations.NullMarked;
