/** Writes that are refused once a newer leader has written. */
@NullMarked
package dev.election.fencing;

import org.jspecify.annotations.NullMarked;
