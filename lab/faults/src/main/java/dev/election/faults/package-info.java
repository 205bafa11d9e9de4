/**
 * Proof under faults: breaks an election on purpose, and measures.
 *
 * <p>{@link Soak} is the main class. {@link Arena} runs several groups at the same time, and {@link Scenario} repeats one fault. A run has
 * four steps, each in a package: {@code nemesis} plans and injects faults into the processes and links of {@code world}; the nodes of
 * {@code node} record what they believe; the entries of {@code history} go to a file; {@code checker} judges that file, and {@code report}
 * prints the verdict.
 */
@NullMarked
package dev.election.faults;

import org.jspecify.annotations.NullMarked;
