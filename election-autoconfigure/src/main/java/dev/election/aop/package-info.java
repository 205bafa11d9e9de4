/** Guards bean methods: the leader check runs before all other advice, on the calling thread. */
@NullMarked
package dev.election.aop;

import org.jspecify.annotations.NullMarked;
