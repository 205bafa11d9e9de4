package dev.election.kubernetes.internal;

import dev.election.http.HttpConnection;
import dev.election.record.KeptConnections;

/**
 * A connection to the API server.
 *
 * @param http the connection
 * @param link its place among the connections before
 */
record ApiConnection(HttpConnection http, Proof.Link link) implements KeptConnections.Connection {

    @Override
    public boolean isUsable() {
        return http.isUsable();
    }

    @Override
    public boolean isOver() {
        return http.isOver();
    }

    @Override
    public void close() {
        http.close();
    }
}
