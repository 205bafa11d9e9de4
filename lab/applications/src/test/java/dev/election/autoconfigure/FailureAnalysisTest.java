package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.members.NodeMessageHandler;
import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What a developer reads when the application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTest {

    @ParameterizedTest
    @ValueSource(strings = {"election.enabled=", "election.enabled=yes", "election.quartz.enabled=off"})
    void a_switch_that_is_neither_on_nor_off(String setting, CapturedOutput output) {
        fails(Application.class, "--" + setting);
        String property = setting.substring(0, setting.indexOf('='));
        assertThat(output)
                .contains(property + " must be true or false, but is '" + setting.substring(property.length() + 1))
                .contains("Set a valid value for " + property);
    }

    @ParameterizedTest
    @ValueSource(strings = {"election.role", "election.elections.reports.role"})
    void a_role_that_there_is_not(String property, CapturedOutput output) {
        fails(Application.class, "--" + property + "=follower");
        assertThat(output)
                .contains("Property: " + property)
                .contains("\"follower\"")
                .contains("The following values are valid")
                .contains("CANDIDATE")
                .contains("OBSERVER");
    }

    @Test
    void a_lease_that_is_too_short(CapturedOutput output) {
        fails(Application.class, "--election.lease=500ms");
        assertThat(output)
                .contains("election.lease must be at least 1 s with Redis, but is 500 ms")
                .contains("Set a valid value for election.lease.");
    }

    @Test
    void the_lease_of_a_single_election(CapturedOutput output) {
        fails(Application.class, "--election.elections.reports.lease=999ms");
        assertThat(output)
                .contains("election.elections.reports.lease must be at least 1 s with Redis, but is 999 ms")
                .contains("Set a valid value for election.elections.reports.lease.");
    }

    @Test
    void a_lease_that_is_too_short_for_any_store_is_told_the_least_of_this_one_at_once(CapturedOutput output) {
        fails(Application.class, "--election.elections.reports.lease=10ms");
        assertThat(output)
                .contains("election.elections.reports.lease must be at least 1 s with Redis, but is 10 ms")
                .doesNotContain("150 ms");
    }

    @Test
    void the_drain_time_of_a_single_election(CapturedOutput output) {
        fails(Application.class, "--election.elections.reports.drain=-1s");
        assertThat(output).contains("can't be negative").contains("election.elections.reports.drain");
    }

    @Test
    void a_negative_time_to_wait_at_shutdown(CapturedOutput output) {
        fails(Application.class, "--election.shutdown.await=-1s");
        assertThat(output).contains("can't be negative").contains("election.shutdown.await");
    }

    @Test
    void stuck_work_that_is_to_end_leadership_though_nothing_says_when_it_is_stuck(CapturedOutput output) {
        fails(Application.class, "--election.health.abdicate-when-stuck=true");
        assertThat(output)
                .contains("election.health.abdicate-when-stuck is true")
                .contains("Set a valid value for election.health.stuck-work-after");
    }

    @Test
    void a_bad_node_id(CapturedOutput output) {
        fails(Application.class, "--election.node.id=no id");
        assertThat(output).contains("1 to 128 of A-Z").contains("'no id'").contains("election.node.id");
    }

    @Test
    void a_bad_key_prefix(CapturedOutput output) {
        fails(Application.class, "--election.redis.key-prefix={x}");
        assertThat(output).contains("1 to 64 of A-Z").contains("'{x}'").contains("election.redis.key-prefix");
    }

    @Test
    void a_bad_hash_tag(CapturedOutput output) {
        fails(Application.class, "--election.redis.hash-tag={x}");
        assertThat(output)
                .contains("hash tag must be 1 to 64 of A-Z")
                .contains("'{x}'")
                .contains("election.redis.hash-tag");
    }

    @Test
    void a_bad_election_name_in_the_properties(CapturedOutput output) {
        fails(Application.class, "--election.elections.[no name].lease=5s");
        assertThat(output).contains("'no name'").contains("election.elections.no name");
    }

    @Test
    void a_duration_that_is_none(CapturedOutput output) {
        fails(Application.class, "--election.lease=soon");
        assertThat(output).contains("election.lease").contains("'soon' is not a valid duration");
    }

    @Test
    void a_connection_factory_of_which_nobody_knows_where_its_redis_is(CapturedOutput output) {
        fails(OtherClient.class);
        assertThat(output)
                .contains("neither of Lettuce nor of Jedis")
                .contains("election.redis.connection-factory")
                .contains("election.enabled=false")
                .doesNotContain("client-type");
    }

    @Test
    void several_connection_factories_of_which_none_is_the_primary_one(CapturedOutput output) {
        fails(TwoFactories.class);
        assertThat(output)
                .contains("The application has leader guards for the elections [default]")
                .contains("none of the RedisConnectionFactory beans [one, two] is the primary one")
                .contains("name one in election.redis.connection-factory");
    }

    @Test
    void elections_that_are_injected_where_their_auto_configuration_is_not_applied(CapturedOutput output) {
        fails(NeedsElections.class);
        assertThat(output)
                .contains("needs a bean of type Elections, and there is none")
                .contains("add @AutoConfigureTestElections of dev.election:election-test");
    }

    @Test
    void a_static_primary_and_replica_setup(CapturedOutput output) {
        fails(Application.class, "--spring.data.redis.masterreplica.nodes=localhost:1,localhost:2");
        assertThat(output).contains("spring.data.redis.masterreplica.nodes").contains("LeaseStore bean of your own");
    }

    @Test
    void a_factory_of_the_application_for_a_static_primary_and_replica_setup(CapturedOutput output) {
        fails(StaticReplicas.class);
        assertThat(output)
                .contains("static primary/replica setup (RedisStaticMasterReplicaConfiguration)")
                .contains("with a server, Sentinels or a Cluster")
                .doesNotContain("election.redis.key-prefix");
    }

    @Test
    void a_factory_that_hides_where_its_server_is(CapturedOutput output) {
        fails(HiddenServer.class);
        assertThat(output)
                .contains("The connection factory for redis.example:6380 does not expose its configuration")
                .doesNotContain("election.redis.key-prefix");
    }

    @Test
    void elections_that_are_injected_though_they_are_switched_off(CapturedOutput output) {
        fails(Injected.class, "--election.enabled=false");
        assertThat(output)
                .contains("Parameter 0 of constructor in " + NeedsElections.class.getName())
                .contains("none because election.enabled is false")
                .contains("Remove election.enabled=false")
                .contains("ObjectProvider<Elections>");
    }

    @Test
    void something_else_that_is_missing_while_elections_are_switched_off(CapturedOutput output) {
        fails(OtherMissing.class, "--election.enabled=false");
        assertThat(output).contains("StringBuilder").doesNotContain("ObjectProvider<Elections>");
    }

    @Test
    void guards_without_a_store_fail_at_startup(CapturedOutput output) {
        fails(NoStore.class);
        assertThat(output)
                .contains("leader guards for the elections [reports]")
                .contains("no lease store to elect a leader with: there is no RedisConnectionFactory bean")
                .contains("spring-boot-starter-data-redis");
    }

    @Test
    void a_guard_that_cannot_work(CapturedOutput output) {
        fails(Unguardable.class);
        assertThat(output).contains("FinalJob.work()").contains("Remove 'final' from the method.");
    }

    @Test
    void all_guards_that_cannot_work_are_named_at_once(CapturedOutput output) {
        fails(Unguardables.class);
        assertThat(output)
                .contains("5 leader guards are invalid:")
                .contains("FinalJob.work()", "Hidden.first()", "Hidden.second()", "Hidden.count()")
                .contains("Make a class that is not final of the record " + RecordJob.class.getName())
                .doesNotContain("Remove 'final' from class " + RecordJob.class.getName());
    }

    @Test
    void a_guard_whose_name_has_no_value(CapturedOutput output) {
        fails(Unnamed.class);
        assertThat(output)
                .contains("no value for the election name '${missing}'")
                .contains("placeholder whose property is set");
    }

    @Test
    void two_handlers_of_messages_of_one_type(CapturedOutput output) {
        fails(TwoHandlers.class, "--spring.data.redis.port=1");
        assertThat(output)
                .contains("This process has a handler of messages of type 't' already")
                .contains("Give each handler of the application a type of its own")
                .doesNotContain("\tat ");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    @ImportAutoConfiguration(ElectionMembersAutoConfiguration.class)
    static class TwoHandlers {

        @NodeMessageHandler("t")
        void one(String body) {}

        @NodeMessageHandler("t")
        void other(String body) {}
    }

    private static void fails(Class<?> application, String... arguments) {
        SpringApplication starting = new SpringApplication(application);
        starting.setWebApplicationType(WebApplicationType.NONE);
        starting.setRegisterShutdownHook(false);
        Throwable failure = null;
        try {
            starting.run(arguments).close();
        } catch (RuntimeException expected) {
            failure = expected;
        }
        assertThat(failure).as("startup failure").isNotNull();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ElectionPreconditionsAutoConfiguration.class,
        ElectionRedisAutoConfiguration.class,
        ElectionAutoConfiguration.class,
        ElectionAopAutoConfiguration.class,
        ElectionParticipationAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
        PropertyPlaceholderAutoConfiguration.class
    })
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class OtherClient {
        @Bean
        RedisConnectionFactory other() {
            return mock(RedisConnectionFactory.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class TwoFactories {

        @Bean
        RedisConnectionFactory one() {
            return mock(RedisConnectionFactory.class);
        }

        @Bean
        RedisConnectionFactory two() {
            return mock(RedisConnectionFactory.class);
        }

        @LeaderOnly
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class StaticReplicas {
        @Bean
        RedisConnectionFactory factory() {
            return new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("redis.example"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class HiddenServer {
        @Bean
        RedisConnectionFactory factory() {
            RedisConfiguration bare = new RedisStandaloneConfiguration("redis.example", 6380);
            return new LettuceConnectionFactory(bare);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Application.class, NeedsElections.class})
    static class Injected {}

    static class NeedsElections {
        NeedsElections(Elections elections) {
            assertThat(elections).isNotNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Application.class, NeedsOther.class})
    static class OtherMissing {}

    static class NeedsOther {
        NeedsOther(StringBuilder other) {
            assertThat(other).isNotNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ElectionAutoConfiguration.class,
        ElectionAopAutoConfiguration.class,
        ElectionParticipationAutoConfiguration.class,
        PropertyPlaceholderAutoConfiguration.class
    })
    static class NoStore {
        @LeaderOnly("reports")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Application.class, FinalJob.class})
    static class Unguardable {}

    @Configuration(proxyBeanMethods = false)
    @Import({Application.class, Hidden.class, FinalJob.class, RecordJob.class})
    static class Unguardables {}

    static class Hidden {
        @LeaderOnly
        private void first() {}

        @LeaderOnly
        static void second() {}

        @LeaderOnly
        public int count() {
            return 0;
        }
    }

    record RecordJob() {
        @LeaderOnly
        public void work() {}
    }

    static class FinalJob {
        @LeaderOnly
        public final void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class Unnamed {
        @LeaderOnly("${missing}")
        public void work() {}
    }
}
