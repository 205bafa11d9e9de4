package dev.election.faults.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Grows by one line for each entry. Every line is out of this process before the next is taken. */
public final class HistoryFile implements AutoCloseable {

    private final BufferedWriter lines;

    public HistoryFile(Path file) throws IOException {
        lines = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    public synchronized void append(Entry entry) {
        try {
            lines.write(Line.of(entry));
            lines.newLine();
            lines.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        lines.close();
    }
}
