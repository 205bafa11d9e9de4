package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.autoconfigure.store.MissingStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanDefinitionStoreException;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What a developer reads whose Spring Boot is too old. That an old one really fails so, shows compatibility/check. */
class BootLineTest {

    private static final Throwable OF_OURS = new BeanDefinitionStoreException(
            "Failed to generate bean name for imported class '" + ElectionAutoConfiguration.class.getName() + "'",
            new ClassNotFoundException("org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"));

    @ParameterizedTest
    @ValueSource(strings = {"3.5.7", "2.7.18", "3.6.0-SNAPSHOT"})
    void an_earlier_line_is_named_with_the_one_that_is_needed(String version) {
        FailureAnalysis analysis = new BootLineFailureAnalyzer(version).analyze(new RuntimeException(OF_OURS));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription())
                .isEqualTo("election-spring-boot-starter needs Spring Boot 4, but this application runs on Spring Boot "
                        + version + ".");
        assertThat(analysis.getAction()).contains("Move the application to Spring Boot 4.0 or later");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.0.0", "4.1.0", "10.0.0", "unknown"})
    void no_other_line_is_blamed(String version) {
        assertThat(new BootLineFailureAnalyzer(version).analyze(OF_OURS)).isNull();
    }

    /** With an earlier line our own classes may load and then find nothing of what they look for: that is no missing bean. */
    @Test
    void a_failure_of_our_own_is_that_of_the_line_too() {
        Throwable ours = MissingStore.failure("The application has leader guards", new DefaultListableBeanFactory());
        FailureAnalysis analysis = new BootLineFailureAnalyzer("3.5.7").analyze(new IllegalStateException(ours));
        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription()).contains("needs Spring Boot 4");
        assertThat(new BootLineFailureAnalyzer("4.0.0").analyze(ours)).isNull();
    }

    /** Where nothing is guarded, nothing of ours fails by itself; Quartz jobs would run on every node without a word. */
    @Test
    void an_application_without_guards_does_not_start_either() {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> ElectionPreconditionsAutoConfiguration.requireLine("3.5.7"))
                .satisfies(failure -> assertThat(new BootLineFailureAnalyzer("3.5.7").analyze(failure))
                        .isNotNull());
        assertThatCode(() -> ElectionPreconditionsAutoConfiguration.requireLine("4.0.0"))
                .doesNotThrowAnyException();
    }

    @Test
    void a_failure_of_the_application_itself_is_left_alone() {
        assertThat(new BootLineFailureAnalyzer("3.5.7").analyze(new IllegalStateException("No driver")))
                .isNull();
    }

    @Test
    void it_is_the_first_that_an_application_asks() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(FailureAnalyzer.class, (type, name, failure) -> {})
                        .get(0))
                .isInstanceOf(BootLineFailureAnalyzer.class);
        assertThat(SpringBootVersion.getVersion()).startsWith("4.");
    }
}
