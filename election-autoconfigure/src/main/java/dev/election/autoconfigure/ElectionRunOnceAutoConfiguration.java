package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.NodeInfo;
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
 * Tasks that run once for all processes: those of methods before the other runners, and those that the application runs by {@link OnceRunner},
 * such as migrations. That bean needs the store alone, so that beans which wait for a migration are not created before it.
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

    /** Defines the runner in contexts with methods that run once, and in no other, as the conditions of auto-configurations can't. */
    @Bean
    static BeanFactoryPostProcessor electionOnceTasksRegistrar() {
        return beans -> {
            if (beans instanceof BeanDefinitionRegistry registry
                    && !registry.containsBeanDefinition(OnceTasks.NAME)
                    && hasTasks(beans)) {
                RootBeanDefinition definition = new RootBeanDefinition(ElectionRunOnceAutoConfiguration.class);
                definition.setFactoryMethodName("tasks");
                definition.setTargetType(OnceTasks.class);
                definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
                definition.setLazyInit(false);
                registry.registerBeanDefinition(OnceTasks.NAME, definition);
            }
        };
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
        OnceRunner found = once.getIfAvailable();
        if (found == null) {
            throw MissingStore.failure("The application has @RunOnce methods", beans);
        }
        return new OnceTasks(beans, found);
    }
}
