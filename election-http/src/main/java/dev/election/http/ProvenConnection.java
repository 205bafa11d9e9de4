package dev.election.http;

import dev.election.record.ConnectionProof;
import dev.election.record.KeptConnections;
import dev.election.record.RecordStore;
import java.io.IOException;

/** A connection of a {@link ConnectionProof}. Where the server ends it after a reply, another one takes its place for the next request. */
public final class ProvenConnection implements KeptConnections.Connection, AutoCloseable {

    private final Opening opening;
    private final ConnectionProof proof;
    private volatile HttpConnection http;
    private volatile boolean isClosed;

    /** Its place among the connections before. Used on the thread of the request only. */
    private ConnectionProof.Link link;

    /** Versions that were known when the last request was sent. */
    private ConnectionProof.Sent sent;

    /** Connects. */
    public ProvenConnection(Opening opening, ConnectionProof proof) throws IOException {
        this.opening = opening;
        this.proof = proof;
        this.http = opening.open();
        this.link = proof.opened();
        this.sent = proof.sending("");
    }

    /** Opens connections to the server. */
    @FunctionalInterface
    public interface Opening {

        /** Opens one. */
        HttpConnection open() throws IOException;
    }

    /** Returns the connection for the next request: a question may take several. */
    public HttpConnection http() throws IOException {
        if (http.isOver()) {
            http.close();
            // Also a reply without a version shows that the server was there when its request was sent.
            RecordStore.Origin unused = proof.heard(link, sent);
            http = opening.open();
            link = proof.opened();
            if (isClosed) {
                http.close();
            }
        }
        sent = proof.sending("");
        return http;
    }

    /** Returns the link of the connection over which the last reply has come. */
    public ConnectionProof.Link link() {
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
