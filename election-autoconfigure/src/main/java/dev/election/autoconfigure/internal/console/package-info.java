/**
 * The page for operators: an endpoint that serves its files.
 *
 * <p>{@link LeaderConsoleEndpoint} answers a path with the {@link ConsolePage} or with a {@link ConsoleFile} of the class path, on the
 * thread of the request. The page takes all its data from the endpoint {@code leader}, by requests of the browser.
 */
@NullMarked
package dev.election.autoconfigure.internal.console;

import org.jspecify.annotations.NullMarked;
