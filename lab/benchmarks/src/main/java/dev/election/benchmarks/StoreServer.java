package dev.election.benchmarks;

import java.util.Map;
import java.util.OptionalLong;

/** A server over which the nodes of one library compete. */
interface StoreServer extends AutoCloseable {

    /** On loopback. */
    int port();

    /** What a node has to know besides. */
    String access();

    /** Requests until now, by what they are for. */
    Map<String, Long> requests();

    /** End of the only lease on the monotonic clock; empty where nothing tells it exactly. */
    OptionalLong endOfLease();

    @Override
    void close();
}
