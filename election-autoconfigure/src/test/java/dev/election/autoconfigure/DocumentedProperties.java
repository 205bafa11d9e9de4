package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The properties of the modules on the class path, and those of the pages. */
public final class DocumentedProperties {

    /** Of a table of properties: its names and its default. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`election\\..*?) \\| (.*?) ?\\|");

    private static final Pattern PROPERTY = Pattern.compile("`(election\\.[^`]+)`");
    private static final Pattern IN_MAP_OR_LIST = Pattern.compile("(\\.<|\\.\\*|\\[).*");

    private DocumentedProperties() {}

    /** Each property with such a name is documented, with its default, and no other. */
    public static void areThoseOfTheMetadata(Predicate<String> names) throws IOException {
        Map<String, Map<String, Object>> properties = ofTheMetadata(names);
        Map<String, String> documented = ofThePages(names);
        assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(properties.keySet());
        properties.forEach((name, property) -> {
            Object value = property.getOrDefault("defaultValue", "");
            if (!value.equals("")) {
                assertThat(documented.get(name)).as(name).contains("`" + value + "`");
            }
        });
    }

    private static Map<String, Map<String, Object>> ofTheMetadata(Predicate<String> names) throws IOException {
        Map<String, Map<String, Object>> properties = new TreeMap<>();
        for (Resource resource : new PathMatchingResourcePatternResolver()
                .getResources("classpath*:META-INF/spring-configuration-metadata.json")) {
            try (InputStream metadata = resource.getInputStream()) {
                List<Map<String, Object>> described = JsonPath.parse(metadata).read("$.properties");
                for (Map<String, Object> property : new ArrayList<>(described)) {
                    String name = (String) property.get("name");
                    if (name.startsWith("election.") && names.test(name)) {
                        properties.put(name, property);
                    }
                }
            }
        }
        return properties;
    }

    /** The names and defaults. One of several names for a map of elections stands for the map. */
    private static Map<String, String> ofThePages(Predicate<String> names) throws IOException {
        Map<String, String> documented = new TreeMap<>();
        for (String page : List.of("configuration.md", "routing.md", "migrating-from-schedulermanager.md")) {
            String text = Files.readString(root().resolve("docs").resolve(page));
            ROW.matcher(text).results().forEach(row -> PROPERTY.matcher(row.group(1))
                    .results()
                    .map(name -> IN_MAP_OR_LIST.matcher(name.group(1)).replaceFirst(""))
                    .filter(names)
                    .forEach(name -> documented.merge(name, row.group(2), String::concat)));
        }
        return documented;
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs").resolve("configuration.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
