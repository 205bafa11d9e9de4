package dev.election.spring.guard;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.testing.HandDrivenElections;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A context with guards, over elections in the test's hand. */
final class GuardContext {

    final HandDrivenElections elections = new HandDrivenElections();
    private ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    PropertyPlaceholderAutoConfiguration.class, ElectionAopAutoConfiguration.class))
            .withBean(Elections.class, () -> elections);

    GuardContext with(Class<?>... configurations) {
        runner = runner.withUserConfiguration(configurations);
        return this;
    }

    GuardContext set(String... properties) {
        runner = runner.withPropertyValues(properties);
        return this;
    }

    void run(Use<AssertableApplicationContext> test) {
        runner.run(test::of);
    }

    <T> void withBean(Class<T> type, Use<T> test) {
        runner.run(context -> test.of(context.getBean(type)));
    }

    /** Why the context does not start. */
    Throwable failure() {
        Throwable[] failure = new Throwable[1];
        runner.run(context -> failure[0] = context.getStartupFailure());
        Throwable cause = failure[0];
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause == null) {
            throw new AssertionError("The context has started");
        }
        return cause;
    }

    interface Use<T> {
        void of(T bean) throws Exception;
    }
}
