package dev.election.internal.election;

import static dev.election.internal.election.ScriptedStore.broken;
import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AssignedRole;
import dev.election.FencingToken;
import dev.election.LeaderRecovery;
import dev.election.LeaderWork;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.recovery.TakeOver;
import dev.election.internal.requests.Conversation;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.threads.ListenerDispatcher;
import dev.election.store.CampaignReply;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What the readers of an election are given, and how often. */
class PublicationTest {

    private final HandDrivenLoop loop = new HandDrivenLoop();
    private final ScriptedStore store = new ScriptedStore();
    private final List<Snapshot> published = new ArrayList<>();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final EngineContext context = EngineContext.over(store, loop, loop, callbacks::add);
    private final Conversation conversation = context.conversation();
    private final WorkGate gate = new WorkGate();
    private final Recoveries recoveries = new Recoveries(TakeOver.DEFAULT);
    private final ListenerDispatcher dispatcher = new ListenerDispatcher(loop::aside, Runnable::run);
    private final ElectionRunner runner = new ElectionRunner(
            new Protocol(
                    ElectionFixture.IDENTITY.in("reports"),
                    ProtocolTimings.of(Timing.ofLease(Duration.ofSeconds(15)), ScriptedStore.TRAITS)),
            new RoleAssignment("reports", AssignedRole.CANDIDATE, loop, dispatcher),
            dispatcher,
            recoveries,
            context,
            new Callers());

    private final class Callers implements ElectionRunner.Callers {

        @Override
        public WorkGate gate() {
            return gate;
        }

        @Override
        public void publish(Snapshot next) {
            published.add(next);
        }

        @Override
        public LeaderWork recoveryWork(FencingToken token) {
            return recovering();
        }
    }

    private static LeaderWork recovering() {
        HandDrivenElection election = new HandDrivenElections().get("reports");
        election.lead();
        return election.beginWork().orElseThrow();
    }

    @Test
    void a_renewal_is_published_once_with_its_result() {
        campaign(granted(100));
        long deadline = lease().deadline();
        published.clear();
        loop.pass(Duration.ofSeconds(5));
        assertThat(published).as("while it is under way").isEmpty();
        store.renewals.remove().answer(renewed());
        loop.settle();
        assertThat(published).hasSize(1);
        assertThat(lease().token()).isEqualTo(new FencingToken(100));
        assertThat(lease().deadline())
                .isEqualTo(deadline + Duration.ofSeconds(5).toNanos());
    }

    @Test
    void a_renewal_that_fails_changes_nothing_for_readers() {
        campaign(granted(100));
        published.clear();
        loop.pass(Duration.ofSeconds(5));
        store.renewals.remove().answer(broken(StoreProblem.UNREACHABLE));
        loop.settle();
        assertThat(published).isEmpty();
    }

    @Test
    void a_follower_that_finds_the_same_leader_again_publishes_nothing() {
        campaign(held("other", 7, Duration.ofSeconds(12)));
        assertThat(published).hasSize(2);
        loop.pass(Duration.ofMillis(12_002));
        store.campaigns.remove().answer(held("other", 7, Duration.ofSeconds(15)));
        loop.settle();
        assertThat(published).hasSize(2);
    }

    /** Both: a caller that was let in under an earlier leadership sees what is published only now. */
    @Test
    void while_a_leader_recovers_its_gate_is_closed_and_its_leadership_admits_nothing() {
        recoveries.add("recovery", new LeaderRecovery() {
            @Override
            public String election() {
                return "reports";
            }

            @Override
            public void recover(LeaderWork work) {}
        });
        campaign(granted(100));
        assertThat(lease().token()).isEqualTo(new FencingToken(100));
        assertThat(latest().admitting()).isFalse();
        assertThat(gate.enter()).isFalse();
        callbacks.remove().run();
        loop.settle();
        assertThat(latest().admitting()).isTrue();
        assertThat(gate.enter()).isTrue();
    }

    private void campaign(CampaignReply reply) {
        conversation.ask(batch -> runner.start(ElectionFixture.IDENTITY, batch));
        loop.settle();
        store.campaigns.remove().answer(reply);
        loop.settle();
    }

    private Snapshot.Lease lease() {
        return latest().lease();
    }

    private Snapshot latest() {
        return published.get(published.size() - 1);
    }
}
