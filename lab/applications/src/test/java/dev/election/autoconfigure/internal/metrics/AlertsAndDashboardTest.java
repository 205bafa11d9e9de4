package dev.election.autoconfigure.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.jobs.JobRun;
import dev.election.members.NodeMessages;
import dev.election.quartz.autoconfigure.QuartzMeters;
import dev.election.testing.Excluded;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.yaml.snakeyaml.Yaml;

/** Whatever the ready-made alerts and the dashboard ask for must be what Prometheus reads from a real application. */
class AlertsAndDashboardTest {

    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Pattern SERIES = Pattern.compile("\\b(election_[a-z_]+)(\\{[^}]*})?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`election\\..*?) \\|");
    private static final Pattern METER = Pattern.compile("`([a-z.]+)`");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on)\\s*\\(([^)]*)\\)");

    /** By the name of the series, by the name of the label: the values. */
    private static final Map<String, Map<String, Set<String>>> SCRAPED = new HashMap<>();

    @BeforeAll
    static void scrape_an_application_that_has_seen_good_and_bad() {
        try (OperatedApplication application = new OperatedApplication(
                "spring.application.name=shop",
                "election.lease=1500ms",
                "election.partitions.orders.count=2",
                "spring.autoconfigure.exclude=" + Excluded.SECURITY)) {
            application.start(WebApplicationType.NONE, Prometheus.class);
            PrometheusMeterRegistry registry = application.bean(PrometheusMeterRegistry.class);
            Election election = application.bean(Elections.class).get(Election.DEFAULT);
            // Whoever asks for them has their meter.
            NodeMessages unused = application.bean(NodeMessages.class);
            new QuartzMeters(() -> registry, () -> "shop").vetoed("scheduler", Election.DEFAULT);
            JobMeters jobs = new JobMeters(() -> registry, () -> "shop", Set.of());
            jobs.lost(Election.DEFAULT, "job", 1);
            Instant start = Instant.EPOCH;
            jobs.ended(new JobRun(
                    Election.DEFAULT,
                    "job",
                    Optional.empty(),
                    "app",
                    new FencingToken(1),
                    start,
                    Optional.of(start.plusSeconds(1)),
                    JobRun.Outcome.DONE,
                    Optional.empty(),
                    Optional.empty()));
            Nodes.await("a renewal").until(() -> registry.scrape().contains("outcome=\"renewed\""));
            Nodes.await("the partitions").until(() -> registry.scrape().contains("election_partitions_led"));
            application.away(true);
            Nodes.await("a failed one").until(() -> registry.scrape().contains("outcome=\"no-answer\""));
            Nodes.await("the loss").until(() -> !election.isLeader());
            registry.scrape()
                    .lines()
                    .filter(line -> line.startsWith("election_"))
                    .forEach(line -> {
                        Matcher series = SERIES.matcher(line);
                        assertThat(series.find()).as(line).isTrue();
                        Map<String, Set<String>> labels =
                                SCRAPED.computeIfAbsent(series.group(1), name -> new HashMap<>());
                        Matcher label = LABEL.matcher(series.group(2));
                        while (label.find()) {
                            labels.computeIfAbsent(label.group(1), name -> new TreeSet<>())
                                    .add(label.group(3));
                        }
                    });
        }
    }

    @AfterAll
    static void forget() {
        SCRAPED.clear();
    }

    @ParameterizedTest
    @MethodSource("expressions")
    void every_expression_asks_for_what_is_there(String expression) {
        Matcher series = SERIES.matcher(expression);
        int found = 0;
        while (series.find()) {
            found++;
            String name = series.group(1);
            assertThat(SCRAPED).as("series in %s", expression).containsKey(name);
            Matcher label = LABEL.matcher(series.group(2) == null ? "" : series.group(2));
            while (label.find()) {
                assertMatchesSomething(name, label.group(1), label.group(2), label.group(3));
            }
        }
        assertThat(found).as("series in %s", expression).isPositive();
        assertThat(expression.chars().filter(c -> c == '(').count())
                .as("parentheses in %s", expression)
                .isEqualTo(expression.chars().filter(c -> c == ')').count());
        Matcher grouping = GROUPING.matcher(expression);
        while (grouping.find()) {
            assertThat(grouping.group(1))
                    .as("two applications in %s", expression)
                    .contains("application");
            for (String label : grouping.group(1).split(",")) {
                assertThat(label.strip())
                        .isIn("application", "election", "group", "scheduled_job", "reason", "outcome", "instance");
            }
        }
    }

    @Test
    void every_alert_says_what_it_means_and_has_a_section_in_the_runbook() throws IOException {
        String runbook = Files.readString(DOCS.resolve("runbook.md"));
        assertThat(rules()).hasSize(12).allSatisfy(rule -> {
            String alert = String.valueOf(rule.get("alert"));
            assertThat(rule.get("annotations"))
                    .asInstanceOf(InstanceOfAssertFactories.map(String.class, String.class))
                    .containsKeys("summary", "description")
                    .containsEntry("runbook", "runbook.md#" + alert.toLowerCase(Locale.ROOT));
            assertThat(runbook).contains("\n## " + alert + "\n");
            assertThat(rule.get("annotations").toString())
                    .as("what a database has, too")
                    .doesNotContain("Redis");
        });
    }

    @Test
    void every_meter_has_its_place_on_the_dashboard() throws IOException {
        String dashboard = Files.readString(DOCS.resolve("grafana-dashboard.json"));
        assertThat(SCRAPED.keySet().stream()
                        .map(name -> name.replaceAll("_(count|sum|max)$", ""))
                        .distinct())
                .hasSize(19)
                .allSatisfy(name -> assertThat(dashboard).contains(name));
    }

    @Test
    void the_page_of_the_meters_names_each_with_the_values_of_its_tags_and_no_other() throws IOException {
        String page = Files.readString(DOCS.resolve("observability.md"));
        Set<String> shown = new TreeSet<>();
        ROW.matcher(page.substring(page.indexOf("\n## Meters\n"), page.indexOf("\n## The outcome of a run\n")))
                .results()
                .flatMap(row -> METER.matcher(row.group(1)).results())
                .forEach(meter -> shown.add(meter.group(1)));
        assertThat(shown.remove("election.routing"))
                .as("of a module that is not here")
                .isTrue();
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(SCRAPED.keySet().stream()
                        .map(name -> name.replaceAll("_(seconds|total|count|sum|max)\\b|_seconds_(count|sum|max)$", ""))
                        .map(name -> name.replace('_', '.'))
                        .collect(Collectors.toSet()));
        for (String series :
                List.of("election_transitions_total", "election_renewals_seconds_count", "election_calls_total")) {
            SCRAPED.get(series).forEach((label, values) -> {
                if (label.equals("reason") || label.equals("outcome")) {
                    assertThat(values).as(series).isNotEmpty().allSatisfy(value -> assertThat(page)
                            .contains("`" + value + "`"));
                }
            });
        }
    }

    @Test
    void no_meter_has_a_label_that_prometheus_gives_to_what_it_scrapes() {
        assertThat(SCRAPED)
                .isNotEmpty()
                .allSatisfy((name, labels) ->
                        assertThat(labels).as(name).isNotEmpty().doesNotContainKeys("job", "instance"));
    }

    /** Such an expression is true again after each gap in what was scraped. */
    @ParameterizedTest
    @MethodSource("expressions")
    void no_expression_takes_a_missing_sample_for_a_new_series(String expression) {
        assertThat(expression).doesNotContain("offset");
    }

    static Stream<String> expressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        rules().forEach(rule -> {
            assertThat(rule).containsKeys("alert", "expr", "labels", "annotations");
            expressions.add(rule.get("expr").toString());
        });
        assertThat(expressions).hasSizeGreaterThanOrEqualTo(6);
        List<String> panels =
                JsonPath.read(Files.readString(DOCS.resolve("grafana-dashboard.json")), "$.panels[*].targets[*].expr");
        assertThat(panels).hasSizeGreaterThanOrEqualTo(6);
        expressions.addAll(panels);
        return expressions.stream();
    }

    private static List<Map<String, Object>> rules() throws IOException {
        try (InputStream rules = Files.newInputStream(DOCS.resolve("prometheus-alerts.yml"))) {
            Map<String, List<Map<String, List<Map<String, Object>>>>> file = new Yaml().load(rules);
            return file.get("groups").stream()
                    .flatMap(group -> group.get("rules").stream())
                    .toList();
        }
    }

    private static void assertMatchesSomething(String series, String label, String operator, String value) {
        if (value.startsWith("$")) {
            // A variable of the dashboard.
            assertThat(SCRAPED.get(series)).as(series).containsKey(label);
            return;
        }
        Set<String> values = SCRAPED.get(series).getOrDefault(label, Set.of());
        for (String one : operator.endsWith("~") ? value.split("\\|") : new String[] {value}) {
            assertThat(values).as("%s of %s", label, series).contains(one);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prometheus {

        @Bean
        PrometheusMeterRegistry prometheus() {
            return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        }
    }
}
