package dev.election.internal.engine;

import dev.election.NodeInfo;
import dev.election.internal.recovery.TakeOver;
import java.util.function.Supplier;

/**
 * The settings of all elections of an engine.
 *
 * @param nodes describes this process, at each start
 * @param takeOver the beginning of a leadership
 */
public record EngineSettings(
        Supplier<NodeInfo> nodes, Timings timings, Roles roles, TakeOver takeOver, Groups groups) {}
