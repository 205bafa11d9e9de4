package dev.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.StoreProblem;
import dev.election.engine.ScriptedStore.Asked;
import dev.election.lease.Hint;
import dev.election.lease.ReleaseReply;
import dev.election.lease.ReleaseRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RehearsalTest {

    private final HandDrivenLoop loop = new HandDrivenLoop();
    private final ScriptedStore store = new ScriptedStore();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final Rehearsal rehearsal = new Rehearsal(store, loop, loop, begun);

    @Test
    void practises_every_change_by_giving_back_leases_that_nobody_holds() {
        rehearsal.onEvent(decided());

        int questions = answerAll();

        assertThat(questions)
                .as("a campaign and a release each, the last release being that of the stop")
                .isEqualTo(2 * (Rehearsal.CHANGES + 1));
        assertThat(store.campaigns).isEmpty();
        assertThat(store.renewals).isEmpty();
        assertThat(store.messages)
                .as("news of a kind that means nothing")
                .hasSize(Rehearsal.CHANGES + 1)
                .allMatch(message -> message instanceof Hint.AbdicationHeard);
    }

    @Test
    void rests_the_longer_the_more_slowly_the_store_answers() {
        rehearsal.onEvent(decided());
        loop.pass(Duration.ofMillis(7));
        answer();

        loop.pass(Duration.ofMillis(7 * Rehearsal.REST).minusNanos(1));
        assertThat(store.releases).isEmpty();
        loop.pass(Duration.ofNanos(1));
        assertThat(store.releases).hasSize(1);
    }

    @Test
    void leaves_nothing_behind_in_a_store_that_outlives_its_engine() {
        rehearsal.onEvent(decided());
        loop.settle();
        answer();
        loop.pass(Rehearsal.PAUSE);
        assertThat(store.messages).hasSize(1);
        assertThat(store.isListenedTo()).isTrue();

        rehearsal.end();

        assertThat(store.isListenedTo()).isFalse();
        answerAll();
        assertThat(store.isListenedTo()).isFalse();
        assertThat(store.messages).hasSize(1);
    }

    @Test
    void tells_no_news_where_nobody_may_tell_any() {
        store.announcement = ScriptedStore.broken(StoreProblem.FORBIDDEN);
        rehearsal.onEvent(decided());

        answerAll();

        assertThat(store.messages).hasSize(1);
        assertThat(store.isListenedTo()).isFalse();
    }

    @Test
    void the_read_through_asks_the_store_nothing() {
        rehearsal.readThrough();
        loop.pass(Duration.ofSeconds(1));

        assertThat(store.releases).isEmpty();
        assertThat(begun).isFalse();
        assertThat(loop.isIdle()).as("nothing is left to do").isTrue();
    }

    @Test
    void begins_once_and_not_before_an_election_is_decided() {
        rehearsal.onEvent(new LeadershipEvent.ElectionStarted("e", Instant.EPOCH));
        loop.settle();
        assertThat(store.releases).isEmpty();

        rehearsal.onEvent(decided());
        rehearsal.onEvent(decided());
        new Rehearsal(store, loop, loop, begun).onEvent(decided());
        loop.settle();

        assertThat(store.releases).hasSize(1);
    }

    @Test
    void ends_when_the_store_does_not_answer() {
        rehearsal.onEvent(decided());
        loop.settle();

        while (!store.releases.isEmpty()) {
            store.releases.remove().answer(ScriptedStore.broken(StoreProblem.UNREACHABLE));
            loop.settle();
        }
        loop.pass(Timing.defaults().lease().multipliedBy(4));

        assertThat(store.releases).isEmpty();
    }

    private int answerAll() {
        int questions = 0;
        loop.settle();
        while (!store.releases.isEmpty()) {
            answer();
            questions++;
            if (store.releases.isEmpty()) {
                loop.pass(Rehearsal.PAUSE);
            }
        }
        return questions;
    }

    private void answer() {
        Asked<ReleaseRequest, ReleaseReply> asked = store.releases.remove();
        assertThat(asked.request().candidate().election()).isEqualTo("e");
        assertThat(asked.request().candidate().candidacy()).startsWith("rehearsal");
        assertThat(asked.request().grant()).isNull();
        asked.answer(new ReleaseReply.NotHeld());
        loop.pass(Duration.ZERO);
    }

    private static LeadershipEvent decided() {
        Leader leader = new Leader("somebody", "there:80", new FencingToken(7), Instant.EPOCH);
        return new LeadershipEvent.ElectionCompleted("e", Instant.EPOCH, leader, false);
    }
}
