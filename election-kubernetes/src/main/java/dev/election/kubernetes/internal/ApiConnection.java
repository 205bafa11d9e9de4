package dev.election.kubernetes.internal;

import dev.election.http.HttpConnection;
import dev.election.record.Continuity;
import dev.election.record.KeptConnections;
import java.io.IOException;

/** A connection to the API server. Where that ends it after a reply, another one takes its place for the next request. */
final class ApiConnection implements KeptConnections.Connection, AutoCloseable {

    private final ApiServer api;
    private final Proof proof;
    private volatile HttpConnection http;
    private volatile boolean isClosed;

    /** Its place among the connections before. Used on the thread of the request only. */
    private Proof.Link link;

    /** Versions that were known when the last request was sent. */
    private Proof.Sent sent;

    ApiConnection(ApiServer api, Proof proof) throws IOException {
        this.api = api;
        this.proof = proof;
        this.http = api.connect();
        this.link = proof.opened();
        this.sent = proof.sending("");
    }

    /** Returns the connection for the next request: a question may take several. */
    HttpConnection http() throws IOException {
        if (http.isOver()) {
            http.close();
            // Also a reply without a version shows that the server was there when its request was sent.
            Continuity unused = proof.heard(link, sent);
            http = api.connect();
            link = proof.opened();
            if (isClosed) {
                http.close();
            }
        }
        sent = proof.sending("");
        return http;
    }

    /** Returns the link of the connection over which the last reply has come. */
    Proof.Link link() {
        return link;
    }

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
        isClosed = true;
        http.close();
    }
}
