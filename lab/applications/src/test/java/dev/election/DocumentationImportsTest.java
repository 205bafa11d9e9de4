package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The snippets of the documents tell from which package a type of the library is. */
class DocumentationImportsTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```");

    @Test
    void a_type_of_the_library_is_imported_in_the_first_snippet_of_its_page_that_has_it() throws IOException {
        List<String> types = ExportedSignatures.types();
        List<String> missing = new ArrayList<>();
        int imports = 0;
        for (Path page : pages()) {
            StringBuilder soFar = new StringBuilder();
            for (String snippet : JAVA.matcher(Files.readString(page))
                    .results()
                    .map(found -> found.group(1))
                    .toList()) {
                soFar.append(snippet);
                for (String type : types) {
                    boolean isImported = soFar.indexOf("import " + type + ";") >= 0;
                    imports += isImported ? 1 : 0;
                    if (!isImported && names(snippet, type)) {
                        missing.add(ROOT.relativize(page) + ": " + type);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(imports).isGreaterThan(30);
    }

    private static boolean names(String snippet, String type) {
        String simple = type.substring(type.lastIndexOf('.') + 1);
        return Pattern.compile("(?<![\\w.])" + simple + "\\b").matcher(snippet).find();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }
}
