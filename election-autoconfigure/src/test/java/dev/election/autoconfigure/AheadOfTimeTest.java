package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import dev.election.actuate.NodeView;
import dev.election.autoconfigure.redis.ElectionRedisAutoConfiguration;
import dev.election.store.LeaseStore;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.quartz.impl.JobExecutionContextImpl;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** The context of an application can be prepared when it is built. */
@DisplayNameGeneration(ReplaceUnderscores.class)
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
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/log-open.lua"))
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/log-write.lua"))
                .matches(RuntimeHintsPredicates.resource().forResource("META-INF/election/redis/log-check.lua"));
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
        ElectionLifecycleAutoConfiguration.class,
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
    @ImportAutoConfiguration({
        ElectionAutoConfiguration.class,
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
    @ImportAutoConfiguration({ElectionAutoConfiguration.class, ElectionInfoAutoConfiguration.class})
    static class WithInfo {

        @Bean
        LeaseStore store() {
            return ElectionContext.store();
        }
    }

    static class Jobs {
        @LeaderOnly("${set.only.at.run.time}")
        public void work() {}
    }
}
