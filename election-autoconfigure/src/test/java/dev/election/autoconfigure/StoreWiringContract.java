package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.store.LeaseStore;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** When the wiring of a store with an access of its own stands back. */
public abstract class StoreWiringContract {

    private final Class<? extends LeaseStore> store;
    private final Class<?> access;

    protected StoreWiringContract(Class<? extends LeaseStore> store, Class<?> access) {
        this.store = store;
        this.access = access;
    }

    /** An application with the store. */
    protected abstract ApplicationContextRunner application();

    @Test
    void without_elections_there_is_no_store() {
        application().withPropertyValues("election.enabled=false").run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(LeaseStore.class)
                .doesNotHaveBean(access));
    }

    @Test
    void another_store_that_is_chosen_is_not_this_one() {
        application().withPropertyValues("election.store=redis").run(context -> assertThat(context)
                .doesNotHaveBean(store));
    }

    @Test
    void a_store_of_the_application_takes_precedence() {
        LeaseStore own = ElectionContext.store();
        application().withBean(LeaseStore.class, () -> own).run(context -> {
            assertThat(context.getBean(LeaseStore.class)).isSameAs(own);
            assertThat(context).doesNotHaveBean(access);
        });
    }

    @Test
    void without_the_store_on_the_class_path_there_is_none() {
        application()
                .withClassLoader(new FilteredClassLoader(store))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseStore.class));
    }

    @Test
    void without_its_wiring_the_start_says_what_to_apply() {
        String wiring = store.getPackageName() + ".autoconfigure";
        String name = "Election" + store.getSimpleName().replace("LeaseStore", "AutoConfiguration");
        application()
                .withUserConfiguration(Guarded.class)
                .withPropertyValues("spring.autoconfigure.exclude=" + wiring + "." + name)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining("the auto-configuration of the store '")
                        .extracting(failure -> ((ElectionConfigurationException) failure).getAction())
                        .asString()
                        .contains("apply that of " + wiring));
    }

    /** Returns why the elections have failed the start. */
    protected static Throwable failure(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        while (failure != null && !(failure instanceof ElectionConfigurationException)) {
            failure = failure.getCause();
        }
        return Objects.requireNonNull(failure, "the start has not failed because of the elections");
    }

    /** An application without anything of its own. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    protected static class Application {}

    /** Work that makes an application need a store. */
    @Configuration(proxyBeanMethods = false)
    protected static class Guarded {

        @LeaderOnly("reports")
        public String work() {
            return "done";
        }
    }
}
