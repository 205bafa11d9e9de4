package dev.election.fencing.autoconfigure;

import dev.election.fencing.TokenGate;
import dev.election.fencing.autoconfigure.ElectionFencingProperties.Gate;
import java.util.function.Supplier;

/**
 * Makes a gate of tokens.
 *
 * @param kind where it keeps them
 * @param make makes it
 */
record TokenGateMaker(Gate kind, Supplier<TokenGate> make) {}
