package dev.election.engine;

import java.util.List;

/** The outcome of one input: the next state, and what to do. */
record Step(State state, List<Effect> effects) {}
