/** What every store has to pass, as tests to be extended, and stores in memory. */
@NullMarked
package dev.election.store.test;

import org.jspecify.annotations.NullMarked;
