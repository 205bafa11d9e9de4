package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The types that an application or the author of a store may use. A new one is a decision: it is added to {@code exported-types.txt} by
 * hand. Everything else is package-private, or stands in a package {@code internal} or {@code autoconfigure}.
 */
final class ExportedTypes {

    /** Besides what is internal: wiring, which Spring Boot uses, and what tests are written with. */
    private static final Pattern NOT_EXPORTED =
            Pattern.compile("dev\\.election\\.(.*\\.)?(internal|autoconfigure|test|harness)(\\..*)?");

    private static final Path LIST = Path.of("src/test/resources/exported-types.txt");

    @ArchTest
    static void only_types_of_the_list_are_exported(JavaClasses types) throws IOException {
        List<String> exported = types.stream()
                .filter(ExportedTypes::isExported)
                .map(JavaClass::getName)
                .sorted()
                .toList();

        assertThat(exported)
                .as("the exported types, which %s lists", LIST)
                .containsExactlyElementsOf(Files.readAllLines(LIST, StandardCharsets.UTF_8));
    }

    private static boolean isExported(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.isTopLevelClass()
                && !NOT_EXPORTED.matcher(type.getPackageName()).matches()
                && !type.getSimpleName().equals("package-info");
    }
}
