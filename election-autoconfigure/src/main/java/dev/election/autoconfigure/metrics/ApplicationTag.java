package dev.election.autoconfigure.metrics;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import org.jspecify.annotations.Nullable;

/**
 * The tag with the name of the application. Two applications may each have an election of the same name, so the sum over all nodes with the
 * same election says nothing without it.
 */
public final class ApplicationTag {

    public static final String KEY = "application";

    /** A value in its place: some registries drop a meter with an empty value. */
    private static final String UNKNOWN = "unknown";

    private ApplicationTag() {}

    /** The value on the node of that engine; elections without an engine of this library belong to no known application. */
    public static String of(@Nullable ElectionEngine engine) {
        return engine == null ? UNKNOWN : of(engine.nodeInfo());
    }

    public static String of(NodeInfo node) {
        return node.application().isEmpty() ? UNKNOWN : node.application();
    }
}
