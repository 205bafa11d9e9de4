package dev.election.redis.bridge;

/** How the old scheduler writes the id of a node into its key, so that its nodes can read what the bridge writes there. */
public enum ValueFormat {
    /** The format of the last value that the old scheduler wrote; plain as long as none was seen. */
    AUTO,
    /** The characters of the id. */
    PLAIN,
    /** A string of JSON, in quotes. */
    JSON
}
