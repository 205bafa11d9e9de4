/**
 * API of fenced writes: writes that are refused once a newer leader has written.
 *
 * <p>{@link Fenced} marks a transaction. A {@link TokenGate} admits requests for anything that is neither such a transaction nor a fenced
 * Redis key: {@link JdbcTokenGate} and {@link MemoryTokenGate} keep the tokens in a database or in this process. {@link
 * StaleLeaderException} is thrown where a newer leader has written.
 */
@NullMarked
package dev.election.fencing;

import org.jspecify.annotations.NullMarked;
