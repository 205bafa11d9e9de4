/** What a store owes to an election: three atomic requests, their replies, and hints. */
@NullMarked
package dev.election.store;

import org.jspecify.annotations.NullMarked;
