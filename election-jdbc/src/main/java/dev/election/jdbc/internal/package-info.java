/** The table: requests, connections, and what differs between databases. */
@NullMarked
package dev.election.jdbc.internal;

import org.jspecify.annotations.NullMarked;
