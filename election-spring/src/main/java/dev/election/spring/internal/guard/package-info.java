/** Guards bean methods: the leader check runs before all other advice, on the calling thread. */
@NullMarked
package dev.election.spring.internal.guard;

import org.jspecify.annotations.NullMarked;
