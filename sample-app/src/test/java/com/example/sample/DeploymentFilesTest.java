package com.example.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;
import org.yaml.snakeyaml.Yaml;

/** The files that show how the sample is deployed: they can be read, and leave a leader the time to hand over. */
class DeploymentFilesTest {

    private static final Path FILES = Path.of("deploy");

    /** Above {@code election.shutdown.await}, the lease and 3 s, with their defaults. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(30 + 15 + 3);

    @Test
    void compose_leaves_time_for_a_hand_over() throws IOException {
        Object compose = documents("compose.yaml").get(0);

        String grace = JsonPath.read(compose, "$.services.app.stop_grace_period");

        assertThat(DurationStyle.detectAndParse(grace)).isGreaterThan(LONG_ENOUGH);
        assertThat(JsonPath.<String>read(compose, "$.services.app.environment.SPRING_DATA_REDIS_HOST"))
                .isEqualTo("redis");
        assertThat(JsonPath.<Object>read(compose, "$.services.redis.image")).isNotNull();
    }

    @Test
    void Kubernetes_leaves_time_for_a_hand_over() throws IOException {
        List<Object> objects = documents("kubernetes.yaml");

        assertThat(objects)
                .extracting(object -> JsonPath.<String>read(object, "$.kind"))
                .containsExactly("Deployment", "Deployment", "Service");
        int grace = JsonPath.read(objects.get(0), "$.spec.template.spec.terminationGracePeriodSeconds");
        assertThat(Duration.ofSeconds(grace)).isGreaterThan(LONG_ENOUGH);
        assertThat(JsonPath.<List<String>>read(objects.get(0), "$..env[?(@.name == 'SPRING_DATA_REDIS_HOST')].value"))
                .containsExactly(JsonPath.<String>read(objects.get(2), "$.metadata.name"));
    }

    @Test
    void the_page_shows_lines_of_these_files() throws IOException {
        List<String> shown = Pattern.compile("(?s)```yaml\\n(.*?)```")
                .matcher(Files.readString(Path.of("..", "docs", "deploying.md")))
                .results()
                .map(listing -> listing.group(1))
                .toList();

        assertThat(shown).hasSize(2);
        assertThat(Files.readAllLines(FILES.resolve("compose.yaml")))
                .containsSubsequence(shown.get(0).split("\n"));
        assertThat(Files.readAllLines(FILES.resolve("kubernetes.yaml")))
                .containsSubsequence(shown.get(1).split("\n"));
    }

    private static List<Object> documents(String file) throws IOException {
        List<Object> documents = new ArrayList<>();
        new Yaml().loadAll(Files.readString(FILES.resolve(file))).forEach(documents::add);
        return documents;
    }
}
