package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The properties of the modules on the class path, and those of the page. */
public final class DocumentedProperties {

    /** Of a table of properties: its names and its default. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`election\\..*?) \\| (.*?) ?\\|");

    private static final Pattern PROPERTY = Pattern.compile("`(election\\.[^`]+)`");

    /** The key in a map, or the place in a list. */
    private static final Pattern KEY = Pattern.compile("\\.<[^>]*>|\\.\\*|\\[[^]]*]");

    /** The type of a map or a list of settings, whose names are in no metadata. */
    private static final Pattern OF_SETTINGS = Pattern.compile(".*<(?:.*,)?(dev\\.election\\.[\\w.$]+)>");

    private DocumentedProperties() {}

    /** Each property with such a name is on the page, once and with its default, and no other. */
    public static void areThoseOfTheMetadata(Predicate<String> names) throws IOException {
        Map<String, String> defaults = ofTheMetadata(names);
        Map<String, String> documented = ofThePage(names);
        assertThat(documented.keySet()).containsExactlyInAnyOrderElementsOf(defaults.keySet());
        defaults.forEach((name, value) -> {
            if (!value.isEmpty()) {
                assertThat(documented.get(name)).as(name).contains("`" + value + "`");
            }
        });
    }

    /** The names, without keys, and the defaults. */
    private static Map<String, String> ofTheMetadata(Predicate<String> names) throws IOException {
        Map<String, String> defaults = new TreeMap<>();
        for (Resource resource : new PathMatchingResourcePatternResolver()
                .getResources("classpath*:META-INF/spring-configuration-metadata.json")) {
            try (InputStream metadata = resource.getInputStream()) {
                List<Map<String, Object>> described = JsonPath.parse(metadata).read("$.properties");
                for (Map<String, Object> property : new ArrayList<>(described)) {
                    String name = (String) property.get("name");
                    if (name.startsWith("election.") && names.test(name)) {
                        Matcher settings = OF_SETTINGS.matcher((String) property.get("type"));
                        if (settings.matches()) {
                            ofSettings(name, settings.group(1), defaults);
                        } else {
                            defaults.put(name, String.valueOf(property.getOrDefault("defaultValue", "")));
                        }
                    }
                }
            }
        }
        return defaults;
    }

    private static void ofSettings(String name, String type, Map<String, String> defaults) {
        try {
            for (Parameter part :
                    Class.forName(type).getDeclaredConstructors()[0].getParameters()) {
                DefaultValue value = part.getAnnotation(DefaultValue.class);
                defaults.put(
                        name + "." + part.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT),
                        value == null ? "" : String.join(",", value.value()));
            }
        } catch (ClassNotFoundException unknown) {
            throw new AssertionError(name, unknown);
        }
    }

    /** The names, without keys, and the defaults. */
    private static Map<String, String> ofThePage(Predicate<String> names) throws IOException {
        Map<String, String> documented = new TreeMap<>();
        String page = Files.readString(root().resolve("docs").resolve("configuration.md"));
        ROW.matcher(page).results().forEach(row -> PROPERTY.matcher(row.group(1))
                .results()
                .map(name -> KEY.matcher(name.group(1)).replaceAll(""))
                .filter(names)
                .forEach(name ->
                        assertThat(documented.put(name, row.group(2))).as(name).isNull()));
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
