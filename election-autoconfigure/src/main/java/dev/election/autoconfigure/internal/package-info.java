/** Parts of the wiring that modules of this library share. */
@NullMarked
package dev.election.autoconfigure.internal;

import org.jspecify.annotations.NullMarked;
