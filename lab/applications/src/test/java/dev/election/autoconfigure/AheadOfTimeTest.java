package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.RunOnce;
import dev.election.autoconfigure.internal.actuate.NodeView;
import dev.election.members.NodeMessageHandler;
import dev.election.quartz.autoconfigure.ElectionQuartzAutoConfiguration;
import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import dev.election.spring.LeaderBoundLifecycleProcessor;
import dev.election.store.LeaseStore;
import dev.election.store.test.InMemoryLeaseStore;
import dev.election.testing.StartableBean;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.impl.JobExecutionContextImpl;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.InputStreamSource;
import org.springframework.javapoet.ClassName;

/** The context of an application can be prepared when it is built. */
class AheadOfTimeTest {

    private final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
    private final DefaultGenerationContext generation = new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get("dev.election.autoconfigure", "Prepared")), files);

    @Test
    void a_context_with_guards_is_prepared_without_its_properties() {
        prepare(Application.class);
        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(file -> file.contains("ElectionAutoConfiguration"))
                .anyMatch(file -> file.contains("ElectionAopAutoConfiguration"))
                .anyMatch(file -> file.contains("ElectionParticipationAutoConfiguration"))
                .anyMatch(file -> file.contains("AheadOfTimeTest__BeanDefinitions"));
    }

    @Test
    void the_proxy_of_a_guarded_bean_is_made_and_no_other() {
        prepare(Application.class);
        assertThat(files.getGeneratedFiles(Kind.CLASS).keySet())
                .isNotEmpty()
                .allMatch(file -> file.contains("AheadOfTimeTest$Jobs$$SpringCGLIB$$"));
    }

    @Test
    void the_scripts_of_the_redis_store_are_kept() {
        prepare(OverRedis.class);
        assertThat(generation.getRuntimeHints())
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/campaign.lua"))
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/renew.lua"))
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/release.lua"))
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/ledger-open.lua"))
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/ledger-write.lua"))
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/ledger-check.lua"));
    }

    @Test
    void a_scheduler_and_its_guards_are_prepared() {
        prepare(WithQuartz.class);
        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(file -> file.contains("ElectionQuartzAutoConfiguration"));
        assertThat(generation.getRuntimeHints())
                .matches(RuntimeHintsPredicates.reflection()
                        .onType(JobExecutionContextImpl.class)
                        .withMemberCategory(MemberCategory.ACCESS_DECLARED_FIELDS));
    }

    @Test
    void what_info_tells_is_kept_where_the_endpoint_is_not_exposed() {
        prepare(WithInfo.class);
        assertThat(generation.getRuntimeHints())
                .matches(RuntimeHintsPredicates.reflection().onType(NodeView.class));
    }

    @Test
    void methods_that_handle_messages_are_kept() throws NoSuchMethodException {
        prepare(WithHandler.class);
        assertThat(generation.getRuntimeHints())
                .matches(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(WithHandler.class.getDeclaredMethod("handle", String.class)));
    }

    @Test
    void a_prepared_context_with_a_leader_bound_bean_leaves_it_to_leadership(@TempDir Path classes) throws Exception {
        prepare(WithLeaderBoundBean.class);
        runPrepared(classes, LeavesBeanToLeadership.class);
    }

    @Test
    void a_prepared_context_without_one_has_the_lifecycle_processor_of_spring_boot(@TempDir Path classes)
            throws Exception {
        prepare(WithoutBeans.class);
        runPrepared(classes, HasProcessorOfSpringBoot.class);
    }

    @Test
    void a_prepared_context_runs_the_migration_of_a_bean_method_as_a_task(@TempDir Path classes) throws Exception {
        prepare(WithMigration.class);
        runPrepared(classes, RunsMigration.class);
    }

    /** Compiles what was generated and loads it anew with everything else, since it reaches package-private classes. */
    private void runPrepared(Path classes, Class<? extends Runnable> code) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn", "-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
        for (Map.Entry<String, InputStreamSource> file :
                files.getGeneratedFiles(Kind.SOURCE).entrySet()) {
            arguments.add(write(classes, file).toString());
        }
        for (Map.Entry<String, InputStreamSource> file :
                files.getGeneratedFiles(Kind.CLASS).entrySet()) {
            write(classes, file);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        List<URL> path = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            ((Runnable) loader.loadClass(code.getName())
                            .getDeclaredConstructor()
                            .newInstance())
                    .run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static Path write(Path folder, Map.Entry<String, InputStreamSource> file) throws IOException {
        Path path = folder.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        try (InputStream content = file.getValue().getInputStream()) {
            Files.copy(content, path);
        }
        return path;
    }

    private void prepare(Class<?> application) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(application);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ElectionAutoConfiguration.class,
        ElectionAopAutoConfiguration.class,
        ElectionParticipationAutoConfiguration.class,
        LifecycleAutoConfiguration.class,
        PropertyPlaceholderAutoConfiguration.class
    })
    static class Application {

        @Bean
        LeaseStore store() {
            return ElectionContext.store();
        }

        @Bean
        Jobs jobs() {
            return new Jobs();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataRedisAutoConfiguration.class, ElectionRedisAutoConfiguration.class})
    static class OverRedis {}

    @Configuration(proxyBeanMethods = false)
    static class WithHandler {

        @NodeMessageHandler("evict")
        void handle(String body) {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ElectionAutoConfiguration.class,
        ElectionJobsAutoConfiguration.class,
        ElectionQuartzAutoConfiguration.class,
        QuartzAutoConfiguration.class
    })
    static class WithQuartz {

        @Bean
        LeaseStore store() {
            return ElectionContext.store();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ElectionAutoConfiguration.class,
        ElectionWatchAutoConfiguration.class,
        ElectionEndpointAutoConfiguration.class
    })
    static class WithInfo {

        @Bean
        LeaseStore store() {
            return ElectionContext.store();
        }
    }

    /** Without guards: the proxy class of a guarded bean is generated once in a process. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ElectionAutoConfiguration.class,
        ElectionAopAutoConfiguration.class,
        ElectionParticipationAutoConfiguration.class,
        LifecycleAutoConfiguration.class,
        PropertyPlaceholderAutoConfiguration.class
    })
    static class WithoutBeans {

        @Bean
        LeaseStore store() {
            return ElectionContext.store();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WithoutBeans.class)
    static class WithLeaderBoundBean {

        @Bean
        @LeaderOnly
        LeaderBoundBean leaderBoundBean() {
            return new LeaderBoundBean();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({ElectionAutoConfiguration.class, ElectionRunOnceAutoConfiguration.class})
    static class WithMigration {

        @Bean
        LeaseStore store() {
            return new InMemoryLeaseStore();
        }

        @Bean
        @RunOnce("schema")
        Migration migration() {
            return new Migration();
        }
    }

    static class Migration implements InitializingBean {

        private final List<Boolean> migrations = new ArrayList<>();

        @Override
        public void afterPropertiesSet() {
            migrations.add(FencingToken.current().isPresent());
        }
    }

    static class LeaderBoundBean extends StartableBean {}

    abstract static class Prepared implements Runnable {

        @Override
        public void run() {
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                initializer().initialize(context);
                context.refresh();
                check(context);
            }
        }

        abstract void check(GenericApplicationContext context);

        @SuppressWarnings("unchecked")
        private ApplicationContextInitializer<GenericApplicationContext> initializer() {
            try {
                return (ApplicationContextInitializer<GenericApplicationContext>) getClass()
                        .getClassLoader()
                        .loadClass("dev.election.autoconfigure.Prepared__ApplicationContextInitializer")
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static final class LeavesBeanToLeadership extends Prepared {
        @Override
        void check(GenericApplicationContext context) {
            assertThat(context.getBean("lifecycleProcessor")).isInstanceOf(LeaderBoundLifecycleProcessor.class);
            LeaderBoundBean bean = context.getBean(LeaderBoundBean.class);
            Awaitility.await().until(bean::isRunning);
            assertThat(context.getBean(Elections.class).get("default").isLeader())
                    .isTrue();
        }
    }

    public static final class HasProcessorOfSpringBoot extends Prepared {
        @Override
        void check(GenericApplicationContext context) {
            assertThat(context.getBean("lifecycleProcessor")).isExactlyInstanceOf(DefaultLifecycleProcessor.class);
        }
    }

    public static final class RunsMigration extends Prepared {
        @Override
        void check(GenericApplicationContext context) {
            assertThat(context.getBean(Migration.class).migrations).containsExactly(true);
        }
    }

    static class Jobs {
        @LeaderOnly("${set.only.at.run.time}")
        public void work() {}
    }
}
