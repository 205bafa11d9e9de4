package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.autoconfigure.internal.actuate.LeaderEndpoint;
import dev.election.members.Member;
import dev.election.members.MemberEvent;
import dev.election.members.MemberJoined;
import dev.election.members.MemberListener;
import dev.election.members.Members;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStoreDecorator;
import dev.election.store.MemberStore;
import dev.election.testing.Nodes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** The members where an application asks for them, and nowhere else. */
class MembersAutoConfigurationTest {

    @Test
    void an_application_that_does_not_ask_for_the_members_is_none() {
        withoutEndpoint().run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(isAsked(context)).isFalse();
            assertThat(context.getBean(MeterRegistry.class)
                            .find("election.members")
                            .meters())
                    .isEmpty();
        });
    }

    @Test
    void the_endpoint_asks_for_them_if_the_store_keeps_members() {
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(isAsked(context)).isTrue();
            Nodes.await("this member").until(() -> body(context).contains("members=[MemberView["));
        });
        runner().withBean(
                        LeaseStoreDecorator.class,
                        () -> store -> new ForwardingLeaseStore(store) {
                            @Override
                            public Optional<MemberStore> memberStore() {
                                return Optional.empty();
                            }
                        })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(isAsked(context)).isFalse();
                    assertThat(body(context)).contains("members=null");
                });
    }

    @Test
    void a_property_asks_for_them_and_the_endpoint_and_a_meter_show_them() {
        runner().withPropertyValues(
                        "election.members.enabled=true",
                        "election.node.id=mine",
                        "election.node.uri=http://mine:8080",
                        "spring.application.version=1.2",
                        "election.node.zone=west",
                        "election.node.metadata.rack=7",
                        "election.node.capabilities.print=A4")
                .run(context -> {
                    Members members = context.getBean(Members.class);
                    Nodes.await("this member").until(() -> members.count() == 1);
                    Member own = members.find("mine").orElseThrow();
                    assertThat(own.uri()).isEqualTo("http://mine:8080");
                    assertThat(own.version()).isEqualTo("1.2");
                    assertThat(own.zone()).isEqualTo("west");
                    assertThat(own.metadata()).isEqualTo(Map.of("rack", "7"));
                    assertThat(own.capabilities()).isEqualTo(Map.of("print", "A4"));
                    assertThat(body(context)).contains("members=[MemberView[id=mine, ", "zone=west");
                    LeaderEndpoint endpoint = context.getBean(LeaderEndpoint.class);
                    assertThat(endpoint.jobs("members", "mine", null))
                            .asString()
                            .contains("http://mine:8080");
                    assertThat(endpoint.jobs("members", "other", null))
                            .asString()
                            .contains("Unknown member");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("election.members")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                });
    }

    @Test
    void a_bean_that_injects_them_asks_for_them() {
        runner().withUserConfiguration(Injecting.class)
                .run(context -> assertThat(isAsked(context)).isTrue());
    }

    @Test
    void a_listener_bean_asks_for_them_and_is_told() {
        BlockingQueue<MemberEvent> heard = new LinkedBlockingQueue<>();
        runner().withBean(MemberListener.class, () -> heard::add)
                .run(context -> assertThat(heard.poll(20, TimeUnit.SECONDS)).isInstanceOf(MemberJoined.class));
    }

    @Test
    void a_listener_to_their_Spring_events_asks_for_them_and_is_told() {
        runner().withUserConfiguration(Listening.class).run(context -> assertThat(
                        context.getBean(Listening.class).heard.poll(20, TimeUnit.SECONDS))
                .isInstanceOf(MemberJoined.class));
    }

    @Test
    void they_can_be_switched_off() {
        runner().withPropertyValues("election.members.enabled=false")
                .withBean(MemberListener.class, () -> event -> {})
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Members.class));
    }

    @Test
    void an_application_that_says_too_much_of_itself_fails_only_if_it_asks_for_them() {
        ApplicationContextRunner tooMuch =
                withoutEndpoint().withPropertyValues("election.node.metadata.text=" + "x".repeat(5_000));
        tooMuch.run(context -> assertThat(context).hasNotFailed());
        tooMuch.withPropertyValues("election.members.enabled=true")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("may have 4096"));
        tooMuch.withUserConfiguration(Injecting.class).run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining(ElectionConfigurationException.class.getName()));
    }

    @Configuration(proxyBeanMethods = false)
    static class Injecting {

        @Bean
        String usesMembers(Members members) {
            return members.own().id();
        }
    }

    static class Listening {

        final BlockingQueue<MemberEvent> heard = new LinkedBlockingQueue<>();

        @EventListener
        void joined(MemberJoined event) {
            heard.add(event);
        }
    }

    private static boolean isAsked(AssertableApplicationContext context) {
        return context.getSourceApplicationContext().getBeanFactory().containsSingleton("electionMembers");
    }

    private static String body(AssertableApplicationContext context) {
        assertThat(context).hasSingleBean(ElectionEngine.class);
        return context.getBean(LeaderEndpoint.class).elections().toString();
    }

    private static ApplicationContextRunner runner() {
        return withoutEndpoint().withPropertyValues("management.endpoints.web.exposure.include=leader");
    }

    private static ApplicationContextRunner withoutEndpoint() {
        return ElectionContext.inMemory().withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }
}
