package dev.election.routing.autoconfigure;

import dev.election.Elections;
import dev.election.routing.internal.decision.RoutingObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The meter {@code election.routing}. */
@AutoConfiguration(
        before = ElectionRoutingAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean({Elections.class, MeterRegistry.class})
public final class ElectionRoutingMetricsAutoConfiguration {

    @Bean
    RoutingObserver electionRoutingMeter(MeterRegistry registry) {
        return (to, outcome, took) -> Timer.builder("election.routing")
                .description("Requests that only the leader may serve, until it was clear what happens to them")
                .tag("election", to.election())
                .tag("mode", to.mode().name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome)
                .register(registry)
                .record(took);
    }
}
