package dev.election.testing;

import dev.election.harness.JvmProcess;
import dev.election.harness.RedisBinary;
import dev.election.quartz.internal.ScheduledApplication;
import dev.election.spring.internal.scheduling.CronApplication;
import dev.election.steering.OverHttp;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/**
 * The classes of the schedulers, as a JVM has loaded them (class data sharing). Without it more than a quarter of what a scheduler needs to
 * start is spent on loading the same classes. It is made once a build, by whichever fork of the tests is first; if that fails all do without.
 */
final class ClassArchive {

    private static final Path FOLDER = Path.of("target", "class-archive").toAbsolutePath();
    private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
    private static final Path STAMP = FOLDER.resolve("stamp");

    private static final List<String> OPTIONS = make();

    private ClassArchive() {}

    /** The options for a JVM on the class path of the tests to use the archive of it; none without an archive. */
    static List<String> options() {
        return OPTIONS;
    }

    private static List<String> make() {
        List<Path> entries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        try {
            Files.createDirectories(FOLDER);
            try (FileChannel channel =
                    FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                String stamp = stampOf(entries);
                if (!Files.exists(STAMP) || !Files.readString(STAMP).equals(stamp)) {
                    Files.deleteIfExists(ARCHIVE);
                    pack(entries);
                    Files.writeString(STAMP, stamp);
                    train(packed(entries));
                }
            }
            // Silent: an archive that a JVM does not like is no matter, and its log belongs to the application.
            return Files.exists(ARCHIVE)
                    ? List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:disable", "-cp", packed(entries))
                    : List.of();
        } catch (IOException | RuntimeException failure) {
            LoggerFactory.getLogger(ClassArchive.class).warn("No archive of classes: schedulers start slowly", failure);
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
    private static String packed(List<Path> entries) {
        List<String> packed = new ArrayList<>();
        for (Path entry : entries) {
            packed.add((Files.isDirectory(entry) ? jar(packed.size()) : entry).toString());
        }
        return String.join(File.pathSeparator, packed);
    }

    private static void pack(List<Path> entries) throws IOException {
        for (int i = 0; i < entries.size(); i++) {
            Path folder = entries.get(i);
            if (Files.isDirectory(folder)) {
                try (OutputStream file = Files.newOutputStream(jar(i));
                        ZipOutputStream jar = new ZipOutputStream(file)) {
                    jar.setLevel(0);
                    for (Path content : files(folder)) {
                        jar.putNextEntry(new ZipEntry(
                                folder.relativize(content).toString().replace(File.separatorChar, '/')));
                        Files.copy(content, jar);
                    }
                }
            }
        }
    }

    private static Path jar(int number) {
        return FOLDER.resolve(number + ".jar");
    }

    private static List<Path> files(Path entry) throws IOException {
        try (Stream<Path> files = Files.walk(entry)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void train(String classPath) throws IOException, InterruptedException {
        Path unfinished = FOLDER.resolve("unfinished.jsa");
        Path log = FOLDER.resolve("training.log");
        Files.deleteIfExists(unfinished);
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0)) {
            List<String> options = new ArrayList<>(JvmProcess.QUICK_START);
            options.addAll(List.of("-XX:ArchiveClassesAtExit=" + unfinished, "-Xlog:disable", "-cp", classPath));
            List<String> command = JvmProcess.command(
                    options, Training.class.getName(), List.of(Integer.toString(redis.port()), FOLDER.toString()));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                if (!process.waitFor(SchedulerProcess.LONGEST_START.toSeconds(), TimeUnit.SECONDS)
                        || !Files.exists(unfinished)) {
                    throw new IllegalStateException("The training run made no archive, see " + log);
                }
            } finally {
                process.destroyForcibly();
            }
        }
        Files.move(unfinished, ARCHIVE, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Runs a job of each kind of scheduler once, and ends. */
    public static final class Training {

        private Training() {}

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[1]);
            List<String> common = List.of("--spring.data.redis.port=" + arguments[0], "--test.shift=0");
            Path quartz = start(ScheduledApplication::main, common, folder.resolve("quartz"), 0);
            List<String> overHttp = new ArrayList<>(common);
            overHttp.addAll(OverHttp.arguments(0));
            Path cron = start(CronApplication::main, overHttp, folder.resolve("cron"), 1);
            Awaitility.await()
                    .atMost(SchedulerProcess.LONGEST_START)
                    .until(() -> Files.size(quartz) > 0 && Files.size(cron) > 0);
            System.exit(0);
        }

        /** In a database of its own, where it leads. */
        private static Path start(Application application, List<String> common, Path history, int database)
                throws IOException {
            Files.writeString(history, "");
            List<String> arguments = new ArrayList<>(common);
            arguments.add("--test.history=" + history);
            arguments.add("--spring.data.redis.database=" + database);
            application.main(arguments.toArray(String[]::new));
            return history;
        }

        private interface Application {
            void main(String[] arguments);
        }
    }
}
