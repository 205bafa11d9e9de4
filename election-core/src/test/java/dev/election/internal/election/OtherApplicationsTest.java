package dev.election.internal.election;

import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.leader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeadershipEvent.ApplicationsDiffer;
import dev.election.store.Held;
import dev.election.store.RenewReply;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OtherApplicationsTest {

    private final ElectionFixture fixture = ElectionFixture.started("shop");
    private final ScriptedStore store = fixture.store;

    @Test
    void a_follower_tells_once_of_a_leader_of_another_application() {
        follow("bank");
        fixture.pass(Duration.ofSeconds(16));
        follow("bank");
        assertThat(fixture.last(ApplicationsDiffer.class).application()).isEqualTo("shop");
        assertThat(fixture.events(ApplicationsDiffer.class))
                .singleElement()
                .extracting(ApplicationsDiffer::others)
                .isEqualTo(Set.of("bank"));
    }

    @Test
    void a_leader_tells_once_of_each_other_application_that_would_lead() {
        fixture.answerCampaign(granted(100));
        renew("bank");
        renew("zoo");
        renew("bank");
        assertThat(fixture.events(ApplicationsDiffer.class))
                .extracting(ApplicationsDiffer::others)
                .containsExactly(Set.of("bank"), Set.of("bank", "zoo"));
    }

    @Test
    void an_application_that_is_heard_of_no_more_is_no_longer_told_of() {
        fixture.answerCampaign(granted(100));
        renew("bank");
        for (int i = 0; i < 9; i++) {
            renew("");
        }
        assertThat(fixture.events(ApplicationsDiffer.class)).hasSize(1);
        renew("");
        assertThat(fixture.last(ApplicationsDiffer.class).others()).isEmpty();
    }

    @Test
    void its_own_name_and_none_are_no_others() {
        follow("shop");
        fixture.pass(Duration.ofSeconds(16));
        follow("");
        assertThat(fixture.events(ApplicationsDiffer.class)).isEmpty();
    }

    @Test
    void who_has_no_name_knows_of_no_other() {
        ElectionFixture nameless = ElectionFixture.started();
        nameless.answerCampaign(heldBy("bank"));
        assertThat(nameless.events(ApplicationsDiffer.class)).isEmpty();
    }

    @Test
    void names_that_somebody_invents_are_bounded_in_number_and_length_and_break_no_line() {
        fixture.answerCampaign(granted(100));
        renew("a\nWARN forged " + "x".repeat(1000));
        assertThat(fixture.last(ApplicationsDiffer.class).others())
                .singleElement()
                .satisfies(name -> assertThat(name).doesNotContain("\n").hasSize(128));
        IntStream.range(0, 100).forEach(i -> {
            store.event(new dev.election.store.StoreEvent.RollCall());
            fixture.loop.settle();
            answerRenewal("invented-" + i);
        });
        assertThat(fixture.last(ApplicationsDiffer.class).others()).hasSize(20);
    }

    private void follow(String application) {
        fixture.answerCampaign(heldBy(application));
    }

    private static Held heldBy(String application) {
        return new Held(leader("other", 100), Duration.ofSeconds(15), OptionalInt.of(0), application);
    }

    private void renew(String other) {
        fixture.pass(Duration.ofSeconds(5));
        answerRenewal(other);
    }

    private void answerRenewal(String other) {
        store.renewals.remove().answer(new RenewReply.Renewed(Instant.parse("2026-01-01T01:00:00Z"), other));
        fixture.loop.settle();
    }
}
