package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The types that an application or the author of a store may use. A new one is a decision: it is added to {@code exported-types.txt} by
 * hand. Everything else is package-private, or stands in a package {@code internal} or {@code autoconfigure}.
 */
class ExportedTypesTest {

    /** Besides what is internal: wiring, which Spring Boot uses, and what tests are written with. */
    private static final Pattern NOT_EXPORTED =
            Pattern.compile("dev\\.election\\.(.*\\.)?(internal|autoconfigure|test|harness)(\\..*)?");

    private static final Path LIST = Path.of("src/test/resources/exported-types.txt");

    @Test
    void only_types_of_the_list_are_exported() throws IOException {
        List<String> exported = new ClassFileImporter()
                .withImportOption(new ArchitectureTest.NoTests()).importPackages("dev.election").stream()
                        .filter(ExportedTypesTest::isExported)
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
