/** Writes to Redis that are refused for the token of an earlier leader. */
@NullMarked
package dev.election.fencing.redis;

import org.jspecify.annotations.NullMarked;
