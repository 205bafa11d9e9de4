package dev.election.spring.internal.guard;

import dev.election.LeaderWork;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The limit of the call that was observed last, which is reached when the test says so. */
class Limit implements CallObserver {

    private volatile @Nullable Supplier<Stopping> last;

    @Override
    public LeaderWork limited(
            String election, Method method, Duration atMost, Supplier<Stopping> stop, LeaderWork work) {
        last = stop;
        return work;
    }

    /** The call has run for too long. */
    Stopping reached() {
        Supplier<Stopping> stop = last;
        return stop == null ? Stopping.IMPOSSIBLE : stop.get();
    }

    @Configuration(proxyBeanMethods = false)
    static class Observed {
        @Bean
        Limit limit() {
            return new Limit();
        }
    }
}
