package dev.election.autoconfigure.internal.actuate;

import dev.election.autoconfigure.internal.watch.OldScheduler;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What came of a request to take the place of an old master, as the endpoint shows it.
 *
 * @param outcome the kind of it
 * @param detail in one sentence
 */
record TakeOverView(OldScheduler.TakeOver.Outcome outcome, String detail) implements OperationResponseBody {}
