/**
 * Fenced transactions: a transaction of an earlier leader can't commit after a newer one has begun.
 *
 * <p>In comes a call of a fenced method, on the thread of the caller, by way of the advisors of its bean.
 * {@link dev.election.fencing.internal.transaction.FencedTransactions} does the work on that thread:
 *
 * <ol>
 * <li>Before the transaction: the token comes from a {@link dev.election.fencing.internal.transaction.TokenSource}, and the row of the resource
 *     is raised to it on a connection of its own. {@link dev.election.fencing.internal.transaction.RaisedTokens} lets one thread do so for each
 *     token of a resource; others wait for it.
 * <li>Within the transaction: the call ({@link dev.election.fencing.internal.transaction.FencedCall}) joins the
 *     {@link dev.election.fencing.internal.transaction.FenceCheck} of the transaction.
 * <li>Before the commit: the check locks each row and compares its token. A newer one rolls the transaction back.
 * </ol>
 *
 * <p>Out goes the result of the method, or an exception for a caller whose leadership has ended. Knows no beans and no bytecode; the statements
 * are those of {@code internal.table}.
 *
 * <p>Begin with {@code FencedTransactions}, then {@code FenceCheck}.
 */
@NullMarked
package dev.election.fencing.internal.transaction;

import org.jspecify.annotations.NullMarked;
