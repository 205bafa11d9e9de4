package dev.election.harness;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the processes of a module, as a JVM has loaded them (class data sharing). Without it an application spends a third of its
 * start on loading the same classes. The first fork of the tests makes it, once a build; if that fails, all processes start without.
 */
public final class ClassArchive {

    /** How long the start of a training may take, and its end, on a machine that starts a dozen other processes. */
    private static final Duration LONGEST = Duration.ofMinutes(4);

    private final Path folder;
    private final Path archive;
    private final String ready;
    private final Training training;
    private @Nullable List<String> options;

    /**
     * Names an archive for processes that load the same classes, in the module whose tests run in this JVM.
     *
     * @param name of the archive in that module
     * @param ready what the training prints when it has loaded all that matters; it is asked to end then
     * @param training makes the command of it
     */
    public ClassArchive(String name, String ready, Training training) {
        this.folder = Path.of("target", "class-archive", name).toAbsolutePath();
        this.archive = folder.resolve("classes.jsa");
        this.ready = ready;
        this.training = training;
    }

    /** A JVM that loads what the processes will load. */
    @FunctionalInterface
    public interface Training {

        /**
         * Its command.
         *
         * @param options of the JVM, its class path among them
         * @param redisPort of a Redis that nobody else uses
         * @param folder where it may write
         */
        List<String> command(List<String> options, int redisPort, Path folder);
    }

    /** The options for a JVM on the class path of this one to use the archive of it; none without an archive. Makes it if there is none. */
    public synchronized List<String> options() {
        if (options == null) {
            options = make();
        }
        return options;
    }

    /** Those options and {@link #options()}. */
    public List<String> with(List<String> others) {
        List<String> all = new ArrayList<>(others);
        all.addAll(options());
        return all;
    }

    private List<String> make() {
        List<Path> entries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        try {
            Files.createDirectories(folder);
            Path stamped = folder.resolve("stamp");
            try (FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                String stamp = stampOf(entries);
                if (!Files.exists(stamped) || !Files.readString(stamped).equals(stamp)) {
                    Files.deleteIfExists(archive);
                    pack(entries);
                    Files.writeString(stamped, stamp);
                    train(packed(entries));
                }
            }
            // Silent: an archive that a JVM does not like is no matter, and its log belongs to the application.
            return Files.exists(archive)
                    ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:disable", "-cp", packed(entries))
                    : List.of();
        } catch (IOException | RuntimeException failure) {
            System.getLogger(ClassArchive.class.getName())
                    .log(Level.WARNING, "No archive of classes: processes start slowly", failure);
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** Differs when a class, a library or the JVM is another. */
    private static String stampOf(List<Path> entries) throws IOException {
        StringBuilder state =
                new StringBuilder(System.getProperty("java.home") + System.getProperty("java.vm.version"));
        for (Path entry : entries) {
            for (Path file : Files.exists(entry) ? files(entry) : List.<Path>of()) {
                state.append('\n').append(file).append(' ').append(Files.size(file));
                state.append(' ').append(Files.getLastModifiedTime(file));
            }
        }
        return UUID.nameUUIDFromBytes(state.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** Each folder as a jar in the place of the folder: there is no archive of a class path with folders. */
    private String packed(List<Path> entries) {
        List<String> packed = new ArrayList<>();
        for (Path entry : entries) {
            packed.add((Files.isDirectory(entry) ? jar(packed.size()) : entry).toString());
        }
        return String.join(File.pathSeparator, packed);
    }

    private void pack(List<Path> entries) throws IOException {
        for (int i = 0; i < entries.size(); i++) {
            if (Files.isDirectory(entries.get(i))) {
                try (OutputStream file = Files.newOutputStream(jar(i));
                        ZipOutputStream jar = new ZipOutputStream(file)) {
                    jar.setLevel(0);
                    pack(entries.get(i), jar);
                }
            }
        }
    }

    /** With its folders, without which nothing in them is found by a search for components. */
    private static void pack(Path entry, ZipOutputStream jar) throws IOException {
        try (Stream<Path> all = Files.walk(entry)) {
            for (Path content : all.skip(1).sorted().toList()) {
                String name = entry.relativize(content).toString().replace(File.separatorChar, '/');
                if (Files.isDirectory(content)) {
                    jar.putNextEntry(new ZipEntry(name + "/"));
                } else {
                    jar.putNextEntry(new ZipEntry(name));
                    Files.copy(content, jar);
                }
            }
        }
    }

    private Path jar(int number) {
        return folder.resolve(number + ".jar");
    }

    private static List<Path> files(Path entry) throws IOException {
        try (Stream<Path> files = Files.walk(entry)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private void train(String classPath) throws IOException, InterruptedException {
        Path unfinished = folder.resolve("unfinished.jsa");
        Path log = folder.resolve("training.log");
        Files.deleteIfExists(unfinished);
        try (Children children = new Children();
                RedisProcess redis = new RedisProcess(RedisSettings.in(folder, children, List.of()))) {
            List<String> quick = new ArrayList<>(JvmProcess.QUICK_START);
            quick.addAll(List.of("-XX:ArchiveClassesAtExit=" + unfinished, "-Xlog:disable", "-cp", classPath));
            Process process = children.launch(new ProcessBuilder(training.command(quick, redis.port(), folder))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile()));
            Wait.until("'" + ready + "' in " + log, LONGEST, () -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException("The training has ended, see " + log);
                }
                return Files.readString(log).contains(ready);
            });
            process.destroy();
            if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS) || !Files.exists(unfinished)) {
                throw new IllegalStateException("The training made no archive, see " + log);
            }
        }
        Files.move(unfinished, archive, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
