/**
 * Elections for the tests of an application, which decide who leads, without a server and without waiting.
 *
 * <p>A test creates {@link TestElections}, or annotates its class with {@link AutoConfigureTestElections} and injects them. Their methods, such
 * as {@link TestElections#lead}, say who leads; {@link Leads} says it for a test method. Begin to read with {@link TestElections}.
 *
 * <p>The engine is the one of applications. {@code DecidedStore} grants leases as the test says, {@code StandingClock} is loop and clock in one,
 * and {@code CallingThread} runs listeners. All of it runs on the thread of the test: when a method of {@link TestElections} returns, every
 * listener has been called. Only handlers of messages have threads of their own.
 *
 * <p>{@code TestElectionsExecutionListener} resets the elections between test methods that share a context.
 */
@NullMarked
package dev.election.test;

import org.jspecify.annotations.NullMarked;
