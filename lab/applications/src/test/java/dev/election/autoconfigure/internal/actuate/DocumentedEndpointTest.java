package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AbdicationOutcome;
import dev.election.Timing;
import dev.election.autoconfigure.internal.actuate.elections.AbdicationView;
import dev.election.autoconfigure.internal.actuate.elections.ElectionView;
import dev.election.autoconfigure.internal.actuate.members.MemberStateView;
import dev.election.support.ReadableDuration;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page for operators names whatever the endpoint and the health may show. */
class DocumentedEndpointTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern STATUS = Pattern.compile("\\bAnswer\\.([A-Z_]+)");
    private static final Pattern DETAIL = Pattern.compile("(?:withDetail|details\\.put)\\(\"(\\w+)\"");

    @Test
    void the_outage_that_the_default_lease_outlasts() throws IOException {
        Timing timing = Timing.defaults();
        Duration margin = timing.lease().dividedBy(50).plusMillis(2);
        Duration spare = timing.lease().minus(timing.renewEvery()).minus(margin);
        assertThat(page()).containsPattern("margin:\\s+" + ReadableDuration.of(spare) + " with the default");
    }

    @Test
    void every_value_of_an_answer() throws IOException {
        Set<String> values = new TreeSet<>();
        for (Class<?> answer :
                Set.of(NodeOverview.class, ElectionView.class, AbdicationView.class, MemberStateView.class)) {
            addValues(answer, values, new LinkedHashSet<>());
        }
        assertThat(values).hasSizeGreaterThan(50);
        assertNamed(values);
    }

    @Test
    void every_detail_of_the_health() throws IOException {
        String source = Files.readString(ROOT.resolve("election-autoconfigure/src/main/java")
                .resolve(LeaderHealthIndicator.class.getName().replace('.', '/') + ".java"));
        Set<String> details = new TreeSet<>();
        DETAIL.matcher(source).results().forEach(detail -> details.add(detail.group(1)));
        assertThat(details).hasSizeGreaterThan(10);
        assertNamed(details);
    }

    @Test
    void every_status_and_outcome() throws IOException {
        String page = page();
        for (AbdicationOutcome outcome : AbdicationOutcome.values()) {
            assertThat(page).contains("`" + outcome + "`");
        }
        for (Field status : Answer.class.getDeclaredFields()) {
            if (Modifier.isStatic(status.getModifiers()) && status.getType() == int.class) {
                assertThat(page).containsPattern("(?m)^\\| " + value(status) + " \\|");
            }
        }
    }

    @Test
    void every_status_of_an_order_to_drain_a_node() throws IOException {
        String source = Files.readString(ROOT.resolve("election-autoconfigure/src/main/java")
                .resolve(LeaderOperations.class.getName().replace('.', '/') + ".java"));
        String page = page();
        String shown = page.substring(
                page.indexOf("`POST /actuator/leader/members/{id}` with"), page.indexOf("\n### Who may look"));
        Set<String> statuses = new TreeSet<>();
        STATUS.matcher(source.substring(source.indexOf("Answer steer("), source.indexOf("Answer abdicate(")))
                .results()
                .forEach(status -> statuses.add(status.group(1)));
        assertThat(statuses).hasSize(7);
        for (Field status : Answer.class.getDeclaredFields()) {
            if (statuses.contains(status.getName())) {
                assertThat(shown).containsPattern("\\b" + value(status) + "\\b");
            }
        }
    }

    @Test
    void an_address_as_it_is_shown() throws IOException {
        assertThat(page()).doesNotContainPattern("(\"address\": \"| at )\\d+\\.\\d");
    }

    private static void assertNamed(Set<String> values) throws IOException {
        String page = page();
        assertThat(values)
                .filteredOn(value -> !page.contains("`" + value + "`") && !page.contains("\"" + value + "\""))
                .as("values that docs/operations.md lacks")
                .isEmpty();
    }

    private static void addValues(Type type, Set<String> values, Set<Class<?>> seen) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                addValues(argument, values, seen);
            }
        } else if (type instanceof Class<?> view && view.isRecord() && seen.add(view)) {
            for (RecordComponent component : view.getRecordComponents()) {
                values.add(component.getName());
                addValues(component.getGenericType(), values, seen);
            }
        }
    }

    private static Object value(Field constant) {
        try {
            return constant.get(null);
        } catch (IllegalAccessException hidden) {
            throw new AssertionError(hidden);
        }
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/operations.md"));
    }
}
