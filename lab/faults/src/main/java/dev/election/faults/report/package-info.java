/** Shows the verdicts: a table of faults, and a picture of who led when. */
@NullMarked
package dev.election.faults.report;

import org.jspecify.annotations.NullMarked;
