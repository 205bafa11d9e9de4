/**
 * The watch over running leader work. A module that runs leader work by itself passes it to the {@link WorkWatch}, on the thread that does the
 * work, so that a warning names it where it outlives the leadership. Guarded calls are watched without it.
 */
@NullMarked
package dev.election.autoconfigure.watch;

import org.jspecify.annotations.NullMarked;
