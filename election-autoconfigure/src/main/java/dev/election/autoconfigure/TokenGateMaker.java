package dev.election.autoconfigure;

import dev.election.autoconfigure.ElectionFencingProperties.Gate;
import dev.election.fencing.TokenGate;
import java.util.function.Supplier;

/**
 * Makes a gate of tokens.
 *
 * @param kind where it keeps them
 * @param make makes it
 */
record TokenGateMaker(Gate kind, Supplier<TokenGate> make) {}
