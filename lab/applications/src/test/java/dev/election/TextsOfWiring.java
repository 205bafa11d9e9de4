package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.springframework.asm.ClassReader;

/**
 * What only wiring says. The core, the jobs and the stores report problems as types: which property of Spring Boot is to be changed, and which
 * page has more, is known where they are configured.
 */
final class TextsOfWiring {

    private static final Set<String> WITHOUT = Set.of(
            "election-core",
            "election-jobs",
            "election-redis",
            "election-redis-bridge",
            "election-jdbc",
            "election-http",
            "election-kubernetes",
            "election-etcd",
            "election-zookeeper");

    /** Labels and annotations of Kubernetes begin with a domain. */
    private static final Pattern PROPERTY_OR_PAGE =
            Pattern.compile("(?<![\\w.])election\\.(?!dev/)[a-z]|https?://\\w|docs/");

    private static final int STRING = 8;

    @ArchTest
    static void only_wiring_names_properties_and_pages(JavaClasses types) throws IOException {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : types) {
            if (WITHOUT.contains(Modules.moduleOf(type))
                    && !type.getPackageName().matches(".*\\.autoconfigure(\\..*)?")) {
                strings(type).stream()
                        .filter(text -> PROPERTY_OR_PAGE.matcher(text).find())
                        .forEach(text -> found.add(type.getName() + ": " + text));
            }
        }
        assertThat(found).isEmpty();
    }

    /** Texts of the pool of constants; those of annotations are none of them. */
    private static List<String> strings(JavaClass type) throws IOException {
        ClassReader reader;
        try (InputStream content =
                type.getSource().orElseThrow().getUri().toURL().openStream()) {
            reader = new ClassReader(content);
        }
        char[] buffer = new char[reader.getMaxStringLength()];
        List<String> strings = new ArrayList<>();
        for (int item = 1; item < reader.getItemCount(); item++) {
            int start = reader.getItem(item);
            if (start != 0 && reader.readByte(start - 1) == STRING) {
                strings.add(reader.readUTF8(start, buffer));
            }
        }
        return strings;
    }
}
