package dev.election.faults.node;

import java.io.IOException;
import java.sql.SQLException;

/** Data that refuses a write with a token older than the newest it has seen. */
interface FencedResource extends AutoCloseable {

    String name();

    /**
     * Writes with that token.
     *
     * @return how many writes the resource has accepted, this one included; 0 if it refused
     */
    long write(long token) throws IOException, SQLException;

    @Override
    void close() throws IOException, SQLException;
}
