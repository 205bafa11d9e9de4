package dev.election.internal.members;

import static dev.election.internal.election.ScriptedStore.granted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.internal.election.ScriptedStore;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.store.BeatReply;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.LeaveReply;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.ReleaseReply;
import dev.election.store.RosterVersion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A start of the elections while their former stop is under way. */
class RestartTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private final HandDrivenLoop loop = new HandDrivenLoop();
    private final ScriptedStore store = new ScriptedStore();
    private int listens;

    private ElectionEngine engine(LeaseStore over, boolean steered) {
        ElectionEngine.Builder builder = ElectionEngine.over(over)
                .as(new NodeInfo("me", "me:80"))
                .timing(Timing.ofLease(LEASE))
                .members(MemberSettings.none())
                .loop(loop, loop)
                .callbacks(Runnable::run);
        return (steered ? builder.steering(Steering.none()) : builder).build();
    }

    private void answerBeats() {
        while (!store.beats.isEmpty()) {
            store.beats.remove().answer(new Beaten(new RosterVersion("r", 1, 1), true, false, List.of()));
            loop.settle();
        }
    }

    @Test
    void the_new_instance_registers_with_its_first_batch_although_the_former_one_awaits_an_answer() {
        ElectionEngine engine = engine(store, false);
        Members members = engine.members().orElseThrow();
        engine.get("a");
        engine.start();
        loop.settle();
        engine.stop();
        loop.settle();
        store.beats.clear();
        engine.start();
        loop.settle();
        assertThat(store.beats)
                .extracting(b -> b.request().instance())
                .containsExactly(members.own().instance());
    }

    private void untilLeading(ElectionEngine engine) {
        engine.get("a");
        engine.start();
        loop.settle();
        answerBeats();
        store.campaigns.remove().answer(granted(1));
        loop.settle();
        loop.pass(Duration.ofMillis(100));
        answerBeats();
        assertThat(engine.get("a").isLeader()).isTrue();
    }

    @Test
    void a_steered_process_registers_at_once_while_the_release_of_its_former_instance_is_under_way() {
        ElectionEngine engine = engine(store, true);
        Members members = engine.members().orElseThrow();
        untilLeading(engine);
        engine.stop();
        loop.settle();
        loop.pass(Duration.ofMillis(100));
        answerBeats();
        loop.pass(Duration.ofMillis(100));
        answerBeats();
        engine.start();
        loop.settle();
        while (store.releases.size() > 0) {
            store.releases.remove().answer(new ReleaseReply.Released());
            loop.settle();
        }
        assertThat(store.beats).anySatisfy(beat -> assertThat(beat.request().instance())
                .isEqualTo(members.own().instance()));
    }

    @Test
    void a_subscription_that_has_failed_is_tried_again() {
        LeaseStore failing = new ForwardingLeaseStore(store) {
            @Override
            public Optional<MemberStore> memberStore() {
                MemberStore real = store.memberStore().orElseThrow();
                return Optional.of(new MemberStore() {
                    @Override
                    public CompletionStage<BeatReply> beat(BeatRequest request) {
                        return real.beat(request);
                    }

                    @Override
                    public CompletionStage<LeaveReply> leave(String instance) {
                        return real.leave(instance);
                    }

                    @Override
                    public LeaseStore.Subscription listen(Consumer<MemberNews> listener) {
                        if (listens++ == 0) {
                            throw new IllegalStateException("no");
                        }
                        return real.listen(listener);
                    }

                    @Override
                    public int mostMembers() {
                        return real.mostMembers();
                    }
                });
            }
        };
        ElectionEngine engine = engine(failing, false);
        engine.members().orElseThrow();
        untilLeading(engine);
        engine.stop();
        loop.settle();
        engine.start();
        loop.settle();
        assertThat(listens).isEqualTo(2);
    }
}
