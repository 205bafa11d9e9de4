package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.Role;
import dev.election.autoconfigure.internal.actuate.LeaderEndpoint;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.members.Drain;
import dev.election.members.Member;
import dev.election.members.Members;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.LeaseStoreDecorator;
import dev.election.store.MemberStore;
import dev.election.testing.Nodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Priorities, preferences and drains where an application asks for them, and nowhere else. */
class SteeringAutoConfigurationTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "election.drainable=true",
                "election.drained-on-start=true",
                "election.priority=0",
                "election.elections.reports.priority=1",
                "election.prefer=newest",
                "election.prefer-zone=west",
                "election.preempt=true",
                "election.balance=true",
                "election.elections.reports.balance=true",
                "election.maximum-tenure=1h"
            })
    void a_store_without_members_refuses_each_property_at_the_start(String property) {
        String name = property.substring(0, property.indexOf('='));
        runner().withPropertyValues(property)
                .withBean(LeaseStoreDecorator.class, () -> WithoutMembers::new)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ElectionConfigurationException.class)
                        .hasMessageContaining(name)
                        .hasMessageContaining("keeps none"));
        runner().withPropertyValues(property, "election.members.enabled=false")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("election.members.enabled"));
        runner().withPropertyValues(property).run(context -> {
            assertThat(context).hasNotFailed();
            Nodes.await("this member")
                    .until(() -> context.getBean(Members.class).count() == 1);
            assertThat(context.getBean(Members.class).own().standing()).isPresent();
        });
    }

    @ParameterizedTest
    @CsvSource({"election.preempt, true, 10", "election.abdicate-when-down, db, 0"})
    void a_store_that_forgets_hand_overs_refuses_them_at_the_start(String property, String value, int kept) {
        runner().withPropertyValues(property + "=" + value)
                .withBean(LeaseStoreDecorator.class, () -> store -> keeping(store, kept))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ElectionConfigurationException.class)
                        .hasMessageContaining(property + ": It needs the latest 11 leaderships")
                        .hasMessageContaining("keeps " + kept)
                        .hasMessageContaining("Use a store that keeps as many, or remove the property"));
    }

    @Test
    void a_store_that_keeps_as_many_leaderships_as_count_lets_leaders_be_preempted() {
        runner().withPropertyValues("election.preempt=true")
                .withBean(LeaseStoreDecorator.class, () -> store -> keeping(store, 11))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static LeaseStore keeping(LeaseStore store, int leaderships) {
        return new ForwardingLeaseStore(store) {
            @Override
            public int leadershipsKept() {
                return leaderships;
            }
        };
    }

    @Test
    void without_a_property_of_it_a_member_has_no_standing_and_can_not_be_drained() {
        runner().withPropertyValues("election.members.enabled=true", "election.node.id=app")
                .run(context -> {
                    Members members = context.getBean(Members.class);
                    Nodes.await("this member").until(() -> members.count() == 1);
                    assertThat(members.own().standing()).isEmpty();
                    LeaderEndpoint endpoint = context.getBean(LeaderEndpoint.class);
                    assertThat(endpoint.member("members", "app", "drained", null, null))
                            .asString()
                            .contains("set election.drainable=true on it");
                    assertThat(endpoint.elections()).asString().doesNotContain("joined as number");
                });
    }

    @Test
    void an_election_may_be_balanced_or_not_by_itself() {
        runner().withPropertyValues("election.balance=true", "election.elections.reports.balance=false")
                .run(context -> assertThat(context.getBean(Members.class).own().standing())
                        .hasValueSatisfying(standing -> {
                            assertThat(standing.balances("orders")).isTrue();
                            assertThat(standing.balances("reports")).isFalse();
                        }));
    }

    @Test
    void a_minimum_of_members_is_a_number_of_them_and_needs_them() {
        String property = "election.elections.reports.minimum-members";
        runner().withPropertyValues(property + "=0").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining(property + ": It must be at least 1, but is 0"));
        runner().withPropertyValues(property + "=3", "election.members.enabled=false")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining(property + ": It needs"));
        runner().withPropertyValues(property + "=3")
                .withBean(LeaseStoreDecorator.class, () -> WithoutMembers::new)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(property)
                        .hasMessageContaining("keeps none"));
    }

    @Test
    void health_is_up_and_says_for_how_many_members_this_node_waits() {
        runner().withPropertyValues("election.elections.reports.minimum-members=3")
                .run(context -> {
                    Election election = context.getBean(Elections.class).get("reports");
                    LeaderHealthIndicator health = context.getBean(LeaderHealthIndicator.class);
                    Nodes.await("the number of members")
                            .until(() ->
                                    health.health().toString().contains("members=waits for 3 members, 1 are here"));
                    assertThat(health.isUp()).isTrue();
                    assertThat(election.role()).isEqualTo(Role.FOLLOWER);
                });
    }

    @Test
    void an_election_that_is_led_with_another_has_its_token_and_no_other_property() {
        String property = "election.elections.cache.led-with";
        runner().withPropertyValues(property + "=reports", "election.elections.reports.lease=6s", "election.priority=1")
                .run(context -> {
                    Elections elections = context.getBean(Elections.class);
                    Election cache = elections.get("cache");
                    assertThat(cache.awaitLeadership(Duration.ofSeconds(30))).isTrue();
                    assertThat(cache.leadership().orElseThrow().token())
                            .isEqualTo(elections
                                    .get("reports")
                                    .leadership()
                                    .orElseThrow()
                                    .token());
                    assertThat(context.getBean(ElectionProperties.class).lease("cache"))
                            .hasSeconds(6);
                });
        for (String other : List.of("lease=5s", "role=observer", "drain=1s", "priority=1", "balance=true")) {
            runner().withPropertyValues(property + "=reports", "election.elections.cache." + other)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining(property + ": Remove the other properties of 'cache'"));
        }
        runner().withPropertyValues(property + "=reports", "election.elections.reports.led-with=orders")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("ElectionConfigurationException: " + property
                                + ": The election 'cache' can't be led with 'reports', which is led with"));
        runner().withPropertyValues(property + "=orders", "election.partitions.orders.count=2")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("'orders' is a group of partitions and no election"));
    }

    @Test
    void a_maximum_tenure_that_is_shorter_than_the_minimum_is_refused() {
        runner().withPropertyValues("election.maximum-tenure=10s")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("minimum tenure (1 min)"));
    }

    @Test
    void the_endpoint_drains_a_member_and_lets_it_lead_again() {
        runner().withPropertyValues("election.drainable=true", "election.priority=3", "election.node.id=app")
                .run(context -> {
                    Election election = context.getBean(Elections.class).get("reports");
                    LeaderEndpoint endpoint = context.getBean(LeaderEndpoint.class);
                    LeaderHealthIndicator health = context.getBean(LeaderHealthIndicator.class);
                    Nodes.await("leadership").until(election::isLeader);
                    Nodes.await("its place").until(() -> endpoint.elections()
                            .toString()
                            .contains("SuccessorView[node=app, eligible=true, reason=priority 3, joined as number 1]"));
                    assertThat(endpoint.member("members", "app", "asleep", null, null))
                            .asString()
                            .contains("must be 'drained' or 'active' but is 'asleep'");
                    assertThat(endpoint.member("members", "not an id", "drained", null, null))
                            .asString()
                            .contains("The id of a node must be");
                    assertThat(endpoint.member("elections", "app", "drained", null, null))
                            .asString()
                            .contains("only below 'members'");

                    assertThat(endpoint.member("members", "app", "drained", "new kernel", null))
                            .asString()
                            .contains("It hands over what it leads");
                    Nodes.await("the hand-over").until(() -> election.role() == Role.OBSERVER);
                    Members members = context.getBean(Members.class);
                    assertThat(members.find("app").flatMap(Member::drain))
                            .map(Drain::requestedBy)
                            .contains("a user of JMX (new kernel) at app");
                    assertThat(endpoint.elections())
                            .asString()
                            .contains("drained by a user of JMX (new kernel) at app");
                    assertThat(health.health().getStatus().getCode()).isEqualTo("UP");
                    Nodes.await("that nobody may lead").until(() -> health.health()
                            .getDetails()
                            .get("reports")
                            .toString()
                            .contains("all members that take part are drained"));
                    assertThat(health.health().getDetails()).containsKey("drained");

                    assertThat(endpoint.member("members", "app", "active", null, null))
                            .asString()
                            .contains("It may lead again");
                    Nodes.await("leadership").until(election::isLeader);
                });
    }

    @Test
    void an_endpoint_that_is_read_only_drains_nobody() {
        ElectionContext.inMemory()
                .withPropertyValues("management.endpoints.web.exposure.include=leader", "election.drainable=true")
                .run(context -> assertThat(
                                context.getBean(LeaderEndpoint.class).member("members", "app", "drained", null, null))
                        .asString()
                        .contains("management.endpoint.leader.access=unrestricted"));
    }

    private static ApplicationContextRunner runner() {
        return ElectionContext.inMemory()
                .withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=leader",
                        "management.endpoint.leader.access=UNRESTRICTED");
    }

    private static final class WithoutMembers extends ForwardingLeaseStore {

        private WithoutMembers(LeaseStore store) {
            super(store);
        }

        @Override
        public Optional<MemberStore> memberStore() {
            return Optional.empty();
        }
    }
}
