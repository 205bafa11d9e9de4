/** The contracts of stores, as tests to be extended, and stores in memory. */
@NullMarked
package dev.election.store.test;

import org.jspecify.annotations.NullMarked;
