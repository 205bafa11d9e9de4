/**
 * Measurements of the real engine over a real Redis: what it costs, and how long a change of leader takes.
 *
 * <p>{@link Benchmarks} is the main class: its arguments name scenarios, and it prints a table. A {@link Scenario} runs a measurement and
 * returns {@link Row}s; most have names that end in {@code Scenario} or {@code Rows}. Classes whose names end in {@code Benchmark} have
 * methods for JMH.
 *
 * <p>Most scenarios work with processes. {@link Lab} starts a Redis and nodes: a {@link Contestant} is the program of a node, a {@link
 * NodeProcess} one of its processes, of this library or of another one that it is compared with. A node is asked by lines on standard input
 * and reports by lines on standard output ({@link Voice}), which {@link Journal} collects on the reading threads. All times are of the
 * monotonic clock of the machine.
 *
 * <p>Redis is observed from outside: {@link CommandCount} counts commands, {@link Traffic} bytes, {@link Monitor} records single commands.
 */
@NullMarked
package dev.election.benchmarks;

import org.jspecify.annotations.NullMarked;
