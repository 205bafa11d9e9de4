/**
 * Markdown and pictures of verdicts: a table of faults, and who led when.
 *
 * <p>{@link Report} has a row for each group and a {@link FaultTable}; {@link Rounds} has a row for each episode; {@link Timeline} draws
 * one history as SVG.
 */
@NullMarked
package dev.election.faults.report;

import org.jspecify.annotations.NullMarked;
