package dev.election.autoconfigure.internal;

import dev.election.RunOnce;
import dev.election.jobs.OnceRunner;
import dev.election.spring.annotation.LibraryAnnotations;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/**
 * Runs the migrations of beans with {@link RunOnce} on their {@code @Bean} methods once, at the time at which Spring Boot runs them: when
 * Flyway's strategy is called, and instead of a call of {@link InitializingBean#afterPropertiesSet} by the container for any other bean.
 */
public final class OnceMigrations implements MergedBeanDefinitionPostProcessor, PriorityOrdered {

    /** The name of the bean. */
    public static final String NAME = "electionOnceMigrations";

    private static final boolean HAS_FLYWAY =
            isPresent("org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy");

    private static final boolean HAS_LIQUIBASE = isPresent("liquibase.integration.spring.SpringLiquibase");

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<OnceRunner> once;
    private final Map<String, String> idsByBean = new ConcurrentHashMap<>();

    /** {@code null} before the first migration. */
    private volatile @Nullable OnceIds ids;

    /**
     * Creates the bean.
     *
     * @param beans of the context
     * @param once runs the migrations, and is not asked for before the first one
     */
    public OnceMigrations(ConfigurableListableBeanFactory beans, Supplier<OnceRunner> once) {
        this.beans = beans;
        this.once = once;
    }

    /** Whether the definitions of a context announce a migration. A context that is prepared ahead of time contains this bean already. */
    public static boolean areIn(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            MethodMetadata factory = beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition definition
                    ? definition.getFactoryMethodMetadata()
                    : null;
            if (factory != null && factory.isAnnotated(RunOnce.class.getName())) {
                return true;
            }
        }
        return false;
    }

    /** Passes the {@code @Bean} method of a bean and its annotation on, if there are both. */
    static void read(RootBeanDefinition definition, BiConsumer<Method, RunOnce> reader) {
        Method factory = definition.getResolvedFactoryMethod();
        if (factory != null && LibraryAnnotations.mayBeOn(factory.getDeclaringClass())) {
            RunOnce annotation = AnnotatedElementUtils.findMergedAnnotation(factory, RunOnce.class);
            if (annotation != null) {
                reader.accept(factory, annotation);
            }
        }
    }

    /** Exists before the post-processors without a priority, which may need what is migrated, and is called after those with one. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        read(definition, (factory, annotation) -> {
            if (!isStrategy(type)) {
                requireMigration(factory, type);
                definition.registerExternallyManagedInitMethod("afterPropertiesSet");
            }
            idsByBean.put(name, ids().add(name, factory, annotation));
        });
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        String id = idsByBean.get(name);
        if (id != null && bean instanceof InitializingBean migration && !isStrategy(bean.getClass())) {
            if (isLiquibase(bean.getClass())) {
                LiquibaseChanges.run(bean, task -> run(id, task));
            } else {
                run(id, work -> migration.afterPropertiesSet());
            }
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        String id = idsByBean.get(name);
        return id != null && isStrategy(bean.getClass()) ? Strategy.of(bean, task -> run(id, task)) : bean;
    }

    /** The ids of the context. Those of all methods and migrations differ before the first migration runs. */
    private OnceIds ids() {
        OnceIds known = ids;
        if (known == null) {
            known = new OnceIds(beans);
            known.addAll(name -> beans.getType(name, false), (id, bean, method) -> {});
            ids = known;
        }
        return known;
    }

    private void run(String id, OnceRunner.Task task) {
        boolean unused = once.get().run(id, task);
    }

    private static void requireMigration(Method factory, Class<?> type) {
        if (!InitializingBean.class.isAssignableFrom(type)) {
            throw OnceIds.ANNOTATION.invalid(
                    factory,
                    type.getName()
                            + " is neither a FlywayMigrationStrategy nor an InitializingBean such as SpringLiquibase",
                    "Put the annotation on a method of that class: it runs before the other runners.");
        }
        if (HAS_LIQUIBASE && LiquibaseChanges.areOfTenants(type)) {
            throw OnceIds.ANNOTATION.invalid(
                    factory,
                    "the locks of a " + type.getName() + " would stay behind a process that was killed",
                    "Define a SpringLiquibase bean for each schema.");
        }
    }

    static boolean isLiquibase(Class<?> type) {
        return HAS_LIQUIBASE && LiquibaseChanges.areOf(type);
    }

    private static boolean isStrategy(Class<?> type) {
        return HAS_FLYWAY && FlywayMigrationStrategy.class.isAssignableFrom(type);
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, OnceMigrations.class.getClassLoader());
    }

    /** Loaded where Flyway is present. */
    private static final class Strategy {

        static FlywayMigrationStrategy of(Object bean, Consumer<OnceRunner.Task> once) {
            FlywayMigrationStrategy strategy = (FlywayMigrationStrategy) bean;
            return flyway -> once.accept(work -> strategy.migrate(flyway));
        }
    }
}
