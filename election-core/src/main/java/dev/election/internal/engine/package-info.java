/**
 * Runs elections: {@code ElectionRunner} feeds the protocol of one election with what happens and carries out what it decides, on one loop;
 * {@code ElectionEngine} holds all elections of a process.
 */
@NullMarked
package dev.election.internal.engine;

import org.jspecify.annotations.NullMarked;
