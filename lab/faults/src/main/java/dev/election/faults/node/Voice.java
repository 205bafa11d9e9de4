package dev.election.faults.node;

import dev.election.faults.history.Entry;
import dev.election.faults.history.Line;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Tells the harness, line by line over standard output. What was said survives a {@code kill -9}: it is in the pipe. */
final class Voice {

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);

    void say(Entry entry) {
        byte[] line = (Line.of(entry) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (this) {
            try {
                out.write(line);
            } catch (IOException nobodyListens) {
                // The harness is gone, and with it the purpose of this process.
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
