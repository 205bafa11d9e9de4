/** Fences database transactions of leaders: a transaction of an earlier leader can't commit after a newer one has begun. */
@NullMarked
package dev.election.fencing.internal;

import org.jspecify.annotations.NullMarked;
