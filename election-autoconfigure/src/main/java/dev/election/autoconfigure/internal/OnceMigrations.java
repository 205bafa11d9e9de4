package dev.election.autoconfigure.internal;

import dev.election.RunOnce;
import dev.election.jobs.OnceRunner;
import dev.election.spring.annotation.LibraryAnnotations;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
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
    private final Map<String, Migration> migrations = new ConcurrentHashMap<>();

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
            migrations.putIfAbsent(name, new Migration(ids().add(name, factory, annotation), factory));
        });
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        Migration migration = migrations.get(name);
        if (migration != null && bean instanceof InitializingBean initializing && !isStrategy(bean.getClass())) {
            if (isLiquibase(bean.getClass())) {
                LiquibaseChanges.run(bean, task -> run(migration, task));
            } else {
                run(migration, work -> initializing.afterPropertiesSet());
            }
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Migration migration = migrations.get(name);
        return migration != null && isStrategy(bean.getClass()) ? Strategy.of(bean, migration, this) : bean;
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

    private void run(Migration migration, OnceRunner.Task task) {
        boolean unused = once.get().run(migration.id, task);
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

        static FlywayMigrationStrategy of(Object bean, Migration migration, OnceMigrations migrations) {
            FlywayMigrationStrategy strategy = (FlywayMigrationStrategy) bean;
            return flyway -> {
                migration.requireOnly(flyway);
                migrations.run(migration, work -> strategy.migrate(flyway));
            };
        }
    }

    /** A bean method with the annotation, the id of its task, and the {@code Flyway} that its strategy migrates. */
    private record Migration(String id, Method factory, AtomicReference<@Nullable Object> flyway) {

        Migration(String id, Method factory) {
            this(id, factory, new AtomicReference<>());
        }

        /** Throws for a second one: the id would be done when the first one is migrated. */
        void requireOnly(Object next) {
            Object first = flyway.compareAndExchange(null, next);
            if (first != null && first != next) {
                throw OnceIds.ANNOTATION.invalid(
                        factory,
                        "the task '" + id + "' migrates one Flyway, but two use this strategy",
                        "Give each Flyway a strategy and an id of its own.");
            }
        }
    }
}
