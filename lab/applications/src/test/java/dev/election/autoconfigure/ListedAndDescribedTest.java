package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import dev.election.autoconfigure.internal.console.ConsoleHints;
import dev.election.redis.autoconfigure.ElectionRedisRuntimeHints;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What the library tells others of itself. */
class ListedAndDescribedTest {

    private static List<Map<String, Object>> properties;
    private static List<Map<String, Object>> hints;

    @BeforeAll
    static void read_the_metadata() throws IOException {
        properties = new ArrayList<>();
        hints = new ArrayList<>();
        // Each module has its own, and so does Spring Boot.
        for (Resource resource : new PathMatchingResourcePatternResolver()
                .getResources("classpath*:META-INF/spring-configuration-metadata.json")) {
            try (InputStream metadata = resource.getInputStream()) {
                Map<String, List<Map<String, Object>>> described =
                        JsonPath.parse(metadata).read("$");
                properties.addAll(ours(described.getOrDefault("properties", List.of())));
                hints.addAll(ours(described.getOrDefault("hints", List.of())));
            }
        }
    }

    @Test
    void every_auto_configuration_is_listed_and_nothing_else() {
        ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false) {
            @Override
            protected boolean isCandidateComponent(MetadataReader read) {
                // Whatever its conditions say.
                return read.getAnnotationMetadata().isAnnotated(AutoConfiguration.class.getName());
            }
        };
        assertThat(scanner.findCandidateComponents("dev.election"))
                .extracting(definition -> definition.getBeanClassName())
                .containsExactlyInAnyOrderElementsOf(ElectionContext.LISTED.stream()
                        .<String>map(Class::getName)
                        .toList());
    }

    @Test
    void every_property_has_a_description() {
        assertThat(properties).hasSizeGreaterThanOrEqualTo(10).allSatisfy(property -> assertThat(
                        (String) property.get("description"))
                .as("description of %s", property.get("name"))
                .isNotBlank()
                .as("shown as it is, and neither as HTML nor as Javadoc")
                .doesNotContain("&#", "{@"));
    }

    @Test
    void the_error_for_a_value_that_no_property_has_names_no_internal_type() {
        assertThat(properties)
                .extracting(property -> (String) property.get("type"))
                .noneMatch(type -> type.contains(".internal."));
    }

    @Test
    void every_property_is_documented_with_its_default_and_no_other() throws IOException {
        // Those of the stores that are not here have a test in their modules.
        DocumentedProperties.areThoseOfTheMetadata(
                name -> !name.matches("election\\.(jdbc|kubernetes|etcd|zookeeper)\\..*"));
    }

    @Test
    void the_defaults_are_those_of_the_design() {
        assertThat(defaultOf("election.enabled")).isEqualTo(true);
        assertThat(defaultOf("election.lease")).isEqualTo("15s");
        assertThat(defaultOf("election.shutdown.await")).isEqualTo("30s");
        assertThat(defaultOf("election.redis.key-prefix")).isEqualTo("election");
        assertThat(defaultOf("election.node.id")).isNull();
    }

    @Test
    void an_editor_proposes_leases_replicas_and_the_election_that_everybody_has() {
        assertThat(hints)
                .extracting(hint -> hint.get("name"))
                .containsExactlyInAnyOrder(
                        "election.lease",
                        "election.redis.acknowledging-replicas",
                        "election.elections.keys",
                        "election.store");
        assertThat(hints).allSatisfy(hint -> assertThat(hint.get("values"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .isNotEmpty());
    }

    @Test
    void every_script_goes_into_a_native_image() throws IOException {
        RuntimeHints hints = new RuntimeHints();
        new ElectionRedisRuntimeHints().registerHints(hints, getClass().getClassLoader());
        Resource[] scripts =
                new PathMatchingResourcePatternResolver().getResources("classpath:META-INF/election/redis/*.lua");
        assertThat(scripts).hasSizeGreaterThanOrEqualTo(3).allSatisfy(script -> assertThat(hints)
                .matches(RuntimeHintsPredicates.resource()
                        .forResource("META-INF/election/redis/" + script.getFilename())));
    }

    @Test
    void every_file_of_the_page_goes_into_a_native_image() throws IOException {
        RuntimeHints known = new RuntimeHints();
        new ConsoleHints().registerHints(known, getClass().getClassLoader());
        Resource[] files =
                new PathMatchingResourcePatternResolver().getResources("classpath:META-INF/election/console/*");
        assertThat(files).hasSizeGreaterThanOrEqualTo(10).allSatisfy(file -> assertThat(known)
                .matches(RuntimeHintsPredicates.resource()
                        .forResource("META-INF/election/console/" + file.getFilename())));
    }

    @Test
    void what_is_asked_of_a_connection_factory_is_known_to_a_native_image() throws NoSuchFieldException {
        RuntimeHints known = new RuntimeHints();
        new ElectionRedisRuntimeHints().registerHints(known, getClass().getClassLoader());
        assertThat(known)
                .matches(RuntimeHintsPredicates.reflection()
                        .onFieldAccess(LettuceConnectionFactory.class.getDeclaredField("configuration")));
    }

    private static List<Map<String, Object>> ours(List<Map<String, Object>> described) {
        return described.stream()
                .filter(one -> ((String) one.get("name")).startsWith("election."))
                .toList();
    }

    private static Object defaultOf(String name) {
        List<Map<String, Object>> found = properties.stream()
                .filter(property -> property.get("name").equals(name))
                .toList();
        assertThat(found).as(name).hasSize(1);
        return found.get(0).get("defaultValue");
    }
}
