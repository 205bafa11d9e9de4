package com.example;

import dev.election.record.RecordStore;
import dev.election.store.test.RecordStoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class FolderRecordStoreTest extends RecordStoreContract {

    @TempDir
    Path parent;

    @AutoClose
    private FolderRecordStore store;

    @BeforeEach
    void open() throws IOException {
        store = new FolderRecordStore(Files.createDirectory(parent.resolve("elections")));
    }

    @Override
    protected RecordStore store() {
        return store;
    }

    /** A backup of the folder. */
    @Override
    protected Optional<Standby> standby() {
        return Optional.of(new Standby() {
            @Override
            public void detach() {
                copy(parent.resolve("elections"), parent.resolve("backup"));
            }

            @Override
            public void promote() {
                move("elections", "lost");
                move("backup", "elections");
            }
        });
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectory(to);
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void move(String from, String to) {
        try {
            Files.move(parent.resolve(from), parent.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
