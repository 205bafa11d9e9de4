package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.isA;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.members.AskReply;
import dev.election.members.Member;
import dev.election.members.Members;
import dev.election.members.NodeMessageHandler;
import dev.election.members.NodeMessages;
import dev.election.members.Recipient;
import dev.election.store.LeaseStore;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.event.ApplicationEvents;
import org.springframework.test.context.event.RecordApplicationEvents;

@SpringBootTest(classes = {TestedApplication.class, SpringBootApplicationTest.Cache.class})
@AutoConfigureTestElections
@RecordApplicationEvents
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SpringBootApplicationTest {

    private static final NoConnections REDIS = open();
    private static final Set<ApplicationContext> CONTEXTS = new HashSet<>();

    @Autowired
    private TestElections elections;

    @Autowired
    private TestedApplication.Reports reports;

    @Autowired
    private TestedApplication.Consumer consumer;

    @Autowired
    private NodeMessages messages;

    @Autowired
    private ApplicationContext context;

    @Autowired
    private ApplicationEvents events;

    @MockitoBean(name = "listener")
    private LeadershipListener listener;

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.host", () -> "127.0.0.1");
        properties.add("spring.data.redis.port", REDIS::port);
    }

    @Test
    @Order(1)
    void a_leader_runs_guarded_methods() {
        CONTEXTS.add(context);
        elections.lead("reports");
        reports.write();
        assertThat(reports.written()).isEqualTo(1);
        assertThat(reports.token()).isPresent();
        assertThat(elections.get("reports").runningWork()).isZero();
    }

    @Test
    @Order(2)
    void the_next_test_leads_nothing_although_it_sees_the_same_context() {
        CONTEXTS.add(context);
        assertThat(CONTEXTS).hasSize(1);
        assertThat(elections.get("reports").isLeader()).isFalse();
        assertThat(events.stream(LeadershipEvent.class)).isEmpty();
        verifyNoInteractions(listener);
        int before = reports.written();
        reports.write();
        assertThat(reports.written()).isEqualTo(before);
        assertThat(reports.token()).isEmpty();
    }

    @Test
    @Order(3)
    @Leads({"reports", "consumer"})
    void an_annotation_lets_it_lead() {
        assertThat(elections.get("reports").isLeader()).isTrue();
        assertThat(consumer.isRunning()).isTrue();
    }

    @Test
    @Order(4)
    void beans_bound_to_leadership_stop_with_the_test_and_start_by_hand() {
        assertThat(consumer.isRunning()).isFalse();
        elections.lead("consumer");
        assertThat(consumer.isRunning()).isTrue();
        elections.resign("consumer");
        assertThat(consumer.isRunning()).isFalse();
    }

    @Test
    void events_of_the_test_are_published() {
        elections.lead("reports");
        assertThat(events.stream(LeadershipEvent.Acquired.class)).hasSize(1);
        verify(listener).onEvent(isA(LeadershipEvent.Acquired.class));
    }

    @Test
    @Leads("reports")
    void beans_that_ask_for_members_see_this_node_and_answer_its_questions() {
        Recipient.One leader = Recipient.leaderOf("reports");
        assertThat(messages.ask(leader, "leader", "reports", Duration.ofMinutes(1))
                        .toCompletableFuture())
                .succeedsWithin(Duration.ofMinutes(1))
                .isEqualTo(new AskReply.Answered(elections.node()));
    }

    @Test
    void nothing_is_made_that_would_talk_to_redis_and_nothing_does() throws IOException {
        assertThat(context.getBeansOfType(Elections.class).values()).containsExactly(elections);
        assertThat(context.getBeanNamesForType(LeaseStore.class)).isEmpty();
        assertThat(context.getBeanNamesForType(ElectionEngine.class)).isEmpty();
        assertThat(REDIS.caller()).isNull();
    }

    @Nested
    @Leads("reports")
    class On_a_class {

        @Test
        void the_annotation_counts_for_each_method() {
            assertThat(elections.get("reports").isLeader()).isTrue();
        }

        @Test
        @Leads("cleanup")
        void that_of_the_method_is_added() {
            assertThat(elections.get("reports").isLeader()).isTrue();
            assertThat(elections.get("cleanup").isLeader()).isTrue();
        }
    }

    /** Asks for the members, and handles messages. */
    record Cache(Members members) {

        @NodeMessageHandler("leader")
        String leader(String election) {
            return members.leader(election).map(Member::id).orElse("");
        }
    }

    private static NoConnections open() {
        try {
            return new NoConnections();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
