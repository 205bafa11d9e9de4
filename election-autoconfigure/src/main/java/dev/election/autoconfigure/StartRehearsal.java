package dev.election.autoconfigure;

import dev.election.LeaderOnly;
import dev.election.aop.GuardReader;
import dev.election.aop.LeaderGuardPostProcessor;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.springframework.aot.AotDetector;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.boot.context.properties.bind.Binder;

/**
 * Does once beside the start what is slow for the first time: puts a guard around a bean, which loads the generator of proxies, and
 * binds the properties. Spring Boot runs it on a thread of its own if there are processors to spare.
 */
final class StartRehearsal implements BackgroundPreinitializer {

    @Override
    public void preinitialize() {
        new Binder().bindOrCreate("election", ElectionProperties.class);
        if (!AotDetector.useGeneratedArtifacts()) {
            rehearseGuard();
        }
    }

    private static void rehearseGuard() {
        GuardReader reader = new GuardReader(UnaryOperator.identity(), () -> {
            throw new IllegalStateException("Nobody calls what is only rehearsed");
        });
        new LeaderGuardPostProcessor(() -> reader, () -> Duration.ZERO, type -> false)
                .postProcessAfterInitialization(new Guarded(), "rehearsal");
    }

    static class Guarded {
        @LeaderOnly
        void work() {}
    }
}
