package dev.election.autoconfigure.internal.observation;

import static dev.election.autoconfigure.internal.observation.ObservedContext.tick;
import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.election.ConditionalOnLeader;
import dev.election.LeaderOnly;
import dev.election.NotLeaderException;
import dev.election.Otherwise;
import dev.election.spring.calls.CallOutcome;
import dev.election.spring.calls.JobGate;
import dev.election.spring.calls.JobTerms;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.ObservationContextAssert;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.TaskExecutionOutcome.Status;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What observations say of guarded calls: of runs of scheduled methods, and of others. */
class ObservedCallsTest {

    private final ObservedContext context =
            new ObservedContext().with(Jobs.class).with(Caller.class);

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "mono", "flux"})
    void a_run_on_a_follower_is_marked_as_skipped(String method) {
        context.run(started -> {
            tick(started, method);

            run().hasLowCardinalityKeyValue("election", "default")
                    .hasLowCardinalityKeyValue("election.outcome", "skipped")
                    .doesNotHaveHighCardinalityKeyValueWithKey("election.token")
                    .doesNotHaveError();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "mono", "flux"})
    void a_run_on_the_leader_has_its_token(String method) {
        context.elections.get("default").lead(42);
        context.run(started -> {
            tick(started, method);

            run().hasLowCardinalityKeyValue("election", "default")
                    .hasLowCardinalityKeyValue("election.outcome", "ran")
                    .hasHighCardinalityKeyValue("election.token", "42");
        });
    }

    @Test
    void a_run_of_a_partition_names_its_group_so_that_all_have_one_timer() throws NoSuchMethodException {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(observed -> true);
        ScheduledTaskObservationContext run =
                new ScheduledTaskObservationContext(this, Runnable.class.getMethod("run"));
        ObservedCalls calls = new ObservedCalls(() -> registry, () -> Set.of("orders"));
        Observation.createNotStarted("run", () -> run, registry)
                .observe(() -> calls.called("orders.3", CallOutcome.RAN, null, key -> null));
        calls.map(run);
        assertThat(run.getLowCardinalityKeyValue("election").getValue()).isEqualTo("orders");
    }

    @Test
    void a_run_that_is_refused_is_marked_and_fails() {
        context.run(started -> {
            assertThatExceptionOfType(NotLeaderException.class).isThrownBy(() -> tick(started, "strict"));

            run().hasLowCardinalityKeyValue("election", "strict")
                    .hasLowCardinalityKeyValue("election.outcome", "rejected")
                    .hasError();
        });
    }

    @Test
    void a_run_whose_slot_was_run_before_is_marked_as_withheld() {
        context.elections.lead("default");
        context.with(RunBefore.class).run(started -> {
            tick(started, "blocking");

            run().hasLowCardinalityKeyValue("election.outcome", "withheld")
                    .doesNotHaveHighCardinalityKeyValueWithKey("election.token");
        });
    }

    @Test
    void a_run_without_a_guard_has_the_outcome_of_the_first_guarded_call_within_it() {
        context.elections.get("default").lead(42);
        context.run(started -> {
            tick(started, "callsOthers");

            run().hasLowCardinalityKeyValue("election", "reports")
                    .hasLowCardinalityKeyValue("election.outcome", "skipped")
                    .doesNotHaveHighCardinalityKeyValueWithKey("election.token");
        });
    }

    @Test
    void all_runs_have_the_same_tags_so_that_prometheus_takes_each_of_them() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        context.observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        context.run(started -> {
            tick(started, "unguarded", "blocking");
            context.elections.lead("default");
            tick(started, "blocking");

            assertThat(meters.scrape().lines())
                    .filteredOn(line -> line.startsWith("tasks_scheduled_execution_seconds_count"))
                    .hasSize(3)
                    .anyMatch(line -> line.contains("election=\"none\",election_outcome=\"none\""))
                    .anyMatch(line -> line.contains("election=\"default\",election_outcome=\"skipped\""))
                    .anyMatch(line -> line.contains("election=\"default\",election_outcome=\"ran\""));
        });
    }

    @Test
    void spans_of_open_telemetry_have_the_outcome_and_the_token() {
        Spans spans = new Spans();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(spans))
                .build();
        context.observations
                .observationConfig()
                .observationHandler(new DefaultTracingObservationHandler(
                        new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {})));
        context.run(started -> {
            tick(started, "blocking", "mono");
            context.elections.get("default").lead(42);
            tick(started, "blocking", "mono");

            assertThat(spans.ended)
                    .extracting(
                            attribute("code.function"),
                            attribute("election"),
                            attribute("election.outcome"),
                            attribute("election.token"))
                    .containsExactly(
                            tuple("blocking", "default", "skipped", null),
                            tuple("mono", "default", "skipped", null),
                            tuple("blocking", "default", "ran", "42"),
                            tuple("mono", "default", "ran", "42"));
        });
    }

    /** The meter of a request has no tag that depends on what the request calls. */
    @Test
    void any_other_observation_has_the_first_guarded_call_with_high_cardinality() {
        context.elections.get("default").lead(42);
        context.run(started -> {
            Jobs jobs = started.getBean(Jobs.class);
            Observation.createNotStarted("request", context.observations).observe(() -> {
                jobs.blocking();
                jobs.reports();
            });
            Observation.createNotStarted("other", context.observations).observe(() -> {});

            assertThat(context.observations)
                    .hasObservationWithNameEqualTo("request")
                    .that()
                    .hasHighCardinalityKeyValue("election", "default")
                    .hasHighCardinalityKeyValue("election.outcome", "ran")
                    .hasHighCardinalityKeyValue("election.token", "42")
                    .doesNotHaveLowCardinalityKeyValueWithKey("election")
                    .doesNotHaveLowCardinalityKeyValueWithKey("election.outcome");
            assertThat(context.observations)
                    .hasObservationWithNameEqualTo("other")
                    .that()
                    .doesNotHaveHighCardinalityKeyValueWithKey("election")
                    .doesNotHaveHighCardinalityKeyValueWithKey("election.outcome");
        });
    }

    /** Spring's record of a task knows no third outcome: docs/operations.md says so. */
    @Test
    void for_the_endpoint_of_spring_a_skipped_run_is_a_success() {
        context.run(started -> assertThat(
                        tick(started, "blocking").getLastExecutionOutcome().status())
                .isEqualTo(Status.SUCCESS));
    }

    private ObservationContextAssert<?> run() {
        return assertThat(context.observations)
                .hasSingleObservationThat()
                .hasBeenStopped()
                .hasNameEqualTo("tasks.scheduled.execution");
    }

    private static Function<SpanData, @Nullable String> attribute(String name) {
        return span -> span.getAttributes().get(AttributeKey.stringKey(name));
    }

    private static final class Spans implements SpanExporter {

        private final List<SpanData> ended = new ArrayList<>();

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            ended.addAll(spans);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    static class Jobs {

        @LeaderOnly
        @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public void blocking() {}

        @LeaderOnly
        @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @LeaderOnly
        @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public Flux<String> flux() {
            return Flux.just("done", "done");
        }

        @ConditionalOnLeader(election = "strict", otherwise = Otherwise.FAIL)
        @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public void strict() {}

        @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public void unguarded() {}

        @LeaderOnly("reports")
        public void reports() {}
    }

    static class Caller {

        private final Jobs jobs;

        Caller(Jobs jobs) {
            this.jobs = jobs;
        }

        @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        public void callsOthers() {
            jobs.reports();
            jobs.blocking();
        }
    }

    public static class RunBefore implements JobGate {

        @Override
        public @Nullable Job jobOf(String bean, Method method, String election, JobTerms terms) {
            return work -> {
                work.close();
                return Optional.empty();
            };
        }
    }
}
