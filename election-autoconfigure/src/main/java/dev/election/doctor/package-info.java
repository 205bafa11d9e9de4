/** Looks after the start for what will cause trouble later, and logs each finding once, with the action. */
@NullMarked
package dev.election.doctor;

import org.jspecify.annotations.NullMarked;
