/** Puts the bridge from an old scheduler around the lease store, and shows it. */
@NullMarked
package dev.election.autoconfigure.bridge;

import org.jspecify.annotations.NullMarked;
