/**
 * Parameters of requests to the endpoint. Each comes in as text, and an invalid one is an {@link IllegalArgumentException} whose message
 * begins with its name.
 *
 * <p>{@link ReadParameters} say how old an answer may be, {@link AbdicationParameters} become a request to abdicate, {@link MemberOrder} asks
 * for the state of a member. {@link DurationParameter} parses times, and {@link Reason} joins the requester and the reason that is recorded.
 */
@NullMarked
package dev.election.autoconfigure.internal.actuate.parameters;

import org.jspecify.annotations.NullMarked;
