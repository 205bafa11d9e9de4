/** Leases over a store of texts: the rules that a request follows, the record that it changes, and its text. */
@NullMarked
package dev.election.record;

import org.jspecify.annotations.NullMarked;
