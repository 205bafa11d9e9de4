package dev.election.spring.lifecycle;

import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionParticipationAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Contexts that want elections or a lease store of the test. */
public final class LifecycleContext {

    private LifecycleContext() {}

    public static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class,
                        LifecycleAutoConfiguration.class,
                        ElectionAutoConfiguration.class,
                        ElectionAopAutoConfiguration.class,
                        ElectionParticipationAutoConfiguration.class));
    }

    /** The same for a {@code SpringApplication}. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        LifecycleAutoConfiguration.class,
        ElectionAutoConfiguration.class,
        ElectionAopAutoConfiguration.class,
        ElectionParticipationAutoConfiguration.class
    })
    static class Everything {}
}
