package dev.election.kubernetes.internal;

import dev.election.http.HttpConnection;
import dev.election.record.KeptConnections;

/**
 * A connection to the API server.
 *
 * @param http the connection
 * @param name the name by which {@link Proof} knows it
 */
record ApiConnection(HttpConnection http, String name) implements KeptConnections.Connection {

    @Override
    public boolean isUsable() {
        return http.isUsable();
    }

    @Override
    public void close() {
        http.close();
    }
}
