package dev.election.internal.protocol;

import java.util.List;

/** The outcome of one input: the next state, and what to do. */
public record Step(State state, List<Effect> effects) {}
