package dev.election.autoconfigure;

import dev.election.LeaderOnly;
import dev.election.spring.guard.GuardReader;
import dev.election.spring.guard.LeaderGuardPostProcessor;
import java.util.function.UnaryOperator;
import org.springframework.aot.AotDetector;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.boot.context.properties.bind.Binder;

/**
 * Loads classes in the background that are slow to load: those that bind the properties, and those that make the proxy of a guarded bean.
 * Spring Boot runs it on a thread of its own if there is more than one processor.
 */
final class ElectionBackgroundPreinitializer implements BackgroundPreinitializer {

    @Override
    public void preinitialize() {
        new Binder().bindOrCreate("election", ElectionProperties.class);
        if (!AotDetector.useGeneratedArtifacts()) {
            guardOneBean();
        }
    }

    private static void guardOneBean() {
        GuardReader reader = new GuardReader(UnaryOperator.identity(), () -> {
            throw new IllegalStateException("The methods of this bean are not called");
        });
        new LeaderGuardPostProcessor(() -> reader, type -> false)
                .postProcessAfterInitialization(new Guarded(), "preinitialized");
    }

    static class Guarded {
        @LeaderOnly
        void work() {}
    }
}
