/** A small blocking Redis client, for commands that no library has a method for. */
@NullMarked
package dev.election.faults.redis;

import org.jspecify.annotations.NullMarked;
