/**
 * Fencing tokens between services: sent with the requests of leader work, and checked by the service that receives them.
 *
 * <p>Sender: {@link SendingInterceptor} and {@link SendingFilter} add the {@link FencingTokenHeader} to requests to some {@link Hosts},
 * with the token of the leader work of the thread or of the subscriber.
 *
 * <p>Receiver: a handler with {@link RequireFencingToken} is found by {@link TokenHandlers}. {@link ReceivingInterceptor} reads the header
 * before the handler runs and asks the gate, on threads of {@link TimeLimitedGate}, so that a store without an answer holds a request for a
 * limited time. Then {@link ReceivedToken} keeps the admitted token on the thread of the handler, where fenced transactions find it.
 */
@NullMarked
package dev.election.fencing.http;

import org.jspecify.annotations.NullMarked;
