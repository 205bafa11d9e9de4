package dev.election;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Modules of the library with their main classes, as the build has left them. A module is known by its folder. */
final class Modules implements LocationProvider {

    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private static final Pattern MODULE = Pattern.compile(".*/([^/]+)/target/classes/.*");

    /** Folders of the classes of each module. The starters have none. */
    static List<Path> classes() {
        try (Stream<Path> folders = Files.list(ROOT)) {
            List<Path> found = folders.filter(
                            folder -> String.valueOf(folder.getFileName()).startsWith("election-"))
                    .filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .map(folder -> folder.resolve("target/classes"))
                    .sorted()
                    .toList();
            List<Path> missing =
                    found.stream().filter(folder -> !Files.isDirectory(folder)).toList();
            if (!missing.isEmpty()) {
                throw new IllegalStateException("Not built: " + missing);
            }
            return found;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Name of the module that a type is part of; empty for a type of a library. */
    static String moduleOf(JavaClass type) {
        return type.getSource()
                .map(Source::getUri)
                .map(URI::toString)
                .map(MODULE::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1))
                .orElse("");
    }

    @Override
    public Set<Location> get(Class<?> test) {
        return Stream.concat(classes().stream(), Stream.of(ROOT.resolve("lab/harness/target/classes")))
                .map(Location::of)
                .collect(Collectors.toSet());
    }
}
