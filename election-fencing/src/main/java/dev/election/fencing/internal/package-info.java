/**
 * Fenced database transactions: a transaction of an earlier leader can't commit after a newer one has begun.
 *
 * <p>At the start {@link FencePostProcessor} looks for beans with fences. {@link FencedMethods} collects and checks the methods of a class,
 * {@link FenceReader} reads their annotations, {@link SelfCalls} warns of calls past the proxy. An invalid fence fails the start. A valid
 * one gets two advisors ({@link FenceAdvisor}), directly before and directly after the transaction advice of the proxy.
 *
 * <p>At a call {@link FencedTransactions} does the work, on the thread of the caller:
 *
 * <ol>
 * <li>Before the transaction: the token comes from a {@link TokenSource}, and {@link FenceTable} raises the row of the resource to it, on a
 *     connection of its own. {@link RaisedTokens} does so once for each token.
 * <li>Within the transaction: the call joins the {@link FenceCheck} of the transaction.
 * <li>Before the commit: the check locks each row and compares its token. A newer one rolls the transaction back.
 * </ol>
 *
 * <p>{@link FenceDialect}, {@link FenceProblem} and {@link FenceSchema} have the differences between databases: locks, errors, and the
 * table.
 */
@NullMarked
package dev.election.fencing.internal;

import org.jspecify.annotations.NullMarked;
