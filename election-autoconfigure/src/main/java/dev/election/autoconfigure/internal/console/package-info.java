/** The page for operators: an endpoint that serves its files. */
@NullMarked
package dev.election.autoconfigure.internal.console;

import org.jspecify.annotations.NullMarked;
