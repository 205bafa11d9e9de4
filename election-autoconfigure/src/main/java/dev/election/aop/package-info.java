/** Guards bean methods: the leader check comes before every other advice, on the calling thread. */
@NullMarked
package dev.election.aop;

import org.jspecify.annotations.NullMarked;
