package com.example;

import dev.election.StoreProblem;
import dev.election.record.Continuity;
import dev.election.record.PolledKeys;
import dev.election.record.RecordStore;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.StoreTraits;
import dev.election.support.DaemonThreads;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Texts in the files of a folder, for processes on one machine. */
public final class FolderRecordStore implements RecordStore, AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final Path folder;
    private final Executor thread = Executors.newSingleThreadExecutor(new DaemonThreads("election-folder"));
    private final PolledKeys polled = new PolledKeys(this, POLL);

    public FolderRecordStore(Path folder) {
        this.folder = folder;
    }

    @Override
    public StoreTraits traits() {
        return StoreTraits.ofServer("the folder", "the path of the folder").deliveringWithin(POLL.plus(PATIENCE));
    }

    @Override
    public String location() {
        return "folder " + folder;
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        return ask(origin -> new Read(find(key), origin), Failed::new);
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return change(key, expected, text);
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        return change(key, expected, null);
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        return ask(origin -> new Listed(keys(prefix)), Failed::new);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return ask(
                origin -> {
                    Map<String, Stored> all = new HashMap<>();
                    for (String key : keys(prefix)) {
                        all.put(key, find(key));
                    }
                    return new ReadAll(all, origin);
                },
                Failed::new);
    }

    @Override
    public LeaseStore.Subscription watch(String key, Consumer<Change> listener) {
        return polled.watch(key, listener);
    }

    @Override
    public void close() {
        polled.close();
    }

    /** The condition covers the version and the text. */
    private CompletionStage<ReplaceOutcome> change(String key, @Nullable Stored expected, @Nullable String text) {
        return ask(
                origin -> {
                    Stored current = find(key);
                    if (current == null ? expected != null : !current.equals(expected)) {
                        return new Conflict(current, origin);
                    }
                    if (text == null) {
                        Files.delete(file(key));
                        return new Written(null, origin);
                    }
                    long version = current == null ? 1 : Long.parseLong(current.version()) + 1;
                    Stored next = new Stored(text, Long.toString(version));
                    write(key, next);
                    return new Written(next, origin);
                },
                Failed::new);
    }

    private interface Request<T> {

        T carryOut(Origin origin) throws IOException;
    }

    /** Returns at once, and answers whatever goes wrong, too. */
    private <T> CompletionStage<T> ask(Request<T> request, Function<NoAnswer, T> failed) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return underLock(request);
                    } catch (IOException | RuntimeException problem) {
                        return failed.apply(new NoAnswer(StoreProblem.UNREACHABLE, problem.toString()));
                    }
                },
                thread);
    }

    private <T> T underLock(Request<T> request) throws IOException {
        // A lock of a file belongs to the process: a second thread of it would get an exception.
        synchronized (FolderRecordStore.class) {
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock unused = channel.lock()) {
                return request.carryOut(new Origin(Instant.now(), Continuity.ofIncarnation(incarnation())));
            }
        }
    }

    /** Which file this is, and when it was made: a backup that takes the place of the folder has another one, with the same content. */
    private String incarnation() throws IOException {
        Path file = folder.resolve("incarnation");
        if (!Files.exists(file)) {
            Files.createFile(file);
        }
        Map<String, Object> made = Files.readAttributes(file, "unix:ino,ctime");
        return made.get("ino") + " of " + made.get("ctime");
    }

    private @Nullable Stored find(String key) throws IOException {
        if (!Files.exists(file(key))) {
            return null;
        }
        String[] parts = Files.readString(file(key)).split("\n", 2);
        return new Stored(parts[1], parts[0]);
    }

    /** After this the text is on the disk, as a whole or not at all. */
    private void write(String key, Stored stored) throws IOException {
        Path next = folder.resolve("next");
        Files.write(
                next,
                (stored.version() + "\n" + stored.text()).getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
        Files.move(next, file(key), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel names = FileChannel.open(folder)) {
            names.force(true);
        }
    }

    private List<String> keys(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("="))
                    .map(name -> URLDecoder.decode(name.substring(1), StandardCharsets.UTF_8))
                    .filter(key -> key.startsWith(prefix))
                    .toList();
        }
    }

    private Path file(String key) {
        return folder.resolve("=" + URLEncoder.encode(key, StandardCharsets.UTF_8));
    }
}
