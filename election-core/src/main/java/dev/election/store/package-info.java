/** What a store owes to an election: atomic requests, their replies, and events; and what a store can do beyond that. */
@NullMarked
package dev.election.store;

import org.jspecify.annotations.NullMarked;
