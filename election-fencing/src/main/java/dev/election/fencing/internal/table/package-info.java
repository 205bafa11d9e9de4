/**
 * The table of fences: a row for each resource with the highest token that has written it.
 *
 * <p>In come a connection of the application's data source, the name of a resource and a token, on the thread of the caller.
 * {@link dev.election.fencing.internal.table.FenceTable} carries out two things:
 *
 * <ol>
 * <li>It raises the row to the token, in a transaction of its own. A {@link dev.election.fencing.internal.table.RaiseOutcome} says whether
 *     the row has it now, has a newer one, or belongs to another election.
 * <li>It locks the row within the transaction of the application and compares, so that nobody raises it before the commit.
 * </ol>
 *
 * <p>The differences between databases have a type each: {@link dev.election.fencing.internal.table.FenceDialect} the locks and limits of time,
 * {@link dev.election.fencing.internal.table.FenceProblem} the errors, translated to those of Spring with the advice that helps, and
 * {@link dev.election.fencing.internal.table.FenceSchema} the script that creates the table. Nothing is kept between two calls.
 *
 * <p>Begin with {@code FenceTable}.
 */
@NullMarked
package dev.election.fencing.internal.table;

import org.jspecify.annotations.NullMarked;
