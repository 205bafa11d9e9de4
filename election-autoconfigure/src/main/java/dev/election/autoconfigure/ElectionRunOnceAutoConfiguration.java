package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.NodeInfo;
import dev.election.autoconfigure.internal.OnceMigrations;
import dev.election.autoconfigure.internal.OnceTasks;
import dev.election.autoconfigure.store.MissingStore;
import dev.election.jobs.OnceRunner;
import dev.election.spring.Candidacy;
import dev.election.store.LeaseStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Tasks that run once for all processes: those of methods before the other runners, migrations of {@code @Bean} methods when their beans are
 * made, and those that the application runs by {@link OnceRunner}. That bean needs the store alone, so that beans which wait for a migration
 * are not created before it.
 */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionRunOnceAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnBean(LeaseStore.class)
    @ConditionalOnMissingBean
    OnceRunner electionOnceRunner(
            LeaseStore electionLeaseStore,
            ObjectProvider<NodeInfo> ownNode,
            ElectionProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory beans) {
        return OnceRunner.over(electionLeaseStore)
                .as(() -> ElectionAutoConfiguration.node(ownNode, properties, environment, beans))
                .version(ElectionAutoConfiguration.version(environment, beans))
                .timing(properties.timing())
                .waitAtMost(properties.runOnce().longest());
    }

    /**
     * Defines what runs the methods and the migrations in contexts that have such, and in no other, as the conditions of auto-configurations
     * can't.
     */
    @Bean
    static BeanFactoryPostProcessor electionOnceTasksRegistrar() {
        return beans -> {
            if (beans instanceof BeanDefinitionRegistry registry) {
                if (!registry.containsBeanDefinition(OnceTasks.NAME) && hasTasks(beans)) {
                    define(registry, OnceTasks.NAME, OnceTasks.class, "tasks");
                }
                if (!registry.containsBeanDefinition(OnceMigrations.NAME) && OnceMigrations.areIn(beans)) {
                    define(registry, OnceMigrations.NAME, OnceMigrations.class, "migrations");
                }
            }
        };
    }

    private static void define(BeanDefinitionRegistry registry, String name, Class<?> type, String factory) {
        RootBeanDefinition definition = new RootBeanDefinition(ElectionRunOnceAutoConfiguration.class);
        definition.setFactoryMethodName(factory);
        definition.setTargetType(type);
        definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        definition.setLazyInit(false);
        registry.registerBeanDefinition(name, definition);
    }

    private static boolean hasTasks(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(name, false);
            if (type != null && OnceTasks.areIn(type)) {
                return true;
            }
        }
        return false;
    }

    static OnceTasks tasks(
            ConfigurableListableBeanFactory beans, ObjectProvider<OnceRunner> once, ElectionProperties properties) {
        if (properties.startup().candidacy() == Candidacy.BEFORE_RUNNERS) {
            throw new ElectionConfigurationException(
                    "The application has @RunOnce methods, which are the first runners, but"
                            + " election.startup.candidacy=before-runners lets it lead before them",
                    "Remove the property, and move what a runner that does not return does to another thread.");
        }
        return new OnceTasks(beans, runner(beans, once));
    }

    static OnceMigrations migrations(ConfigurableListableBeanFactory beans, ObjectProvider<OnceRunner> once) {
        return new OnceMigrations(beans, () -> runner(beans, once));
    }

    private static OnceRunner runner(ConfigurableListableBeanFactory beans, ObjectProvider<OnceRunner> once) {
        OnceRunner found = once.getIfAvailable();
        if (found == null) {
            throw MissingStore.failure("The application has @RunOnce methods", beans);
        }
        return found;
    }
}
