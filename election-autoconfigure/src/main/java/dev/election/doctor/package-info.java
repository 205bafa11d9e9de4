/** Looks after the start for what will go wrong one night, and says once what mends it. */
@NullMarked
package dev.election.doctor;

import org.jspecify.annotations.NullMarked;
