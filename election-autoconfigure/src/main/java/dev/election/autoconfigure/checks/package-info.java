/**
 * Checks that modules add to those after the start of an application.
 *
 * <p>A {@link Check} is a bean. It runs once the application is ready, on a thread for checks, and may block. It returns a {@link Finding} for
 * each problem, which is logged once and shown by the endpoint, with the action; a check that throws is repeated.
 */
@NullMarked
package dev.election.autoconfigure.checks;

import org.jspecify.annotations.NullMarked;
