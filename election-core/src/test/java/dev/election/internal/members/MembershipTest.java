package dev.election.internal.members;

import static dev.election.internal.election.ScriptedStore.broken;
import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.internal.election.ScriptedStore;
import dev.election.members.LeaveReason;
import dev.election.members.Member;
import dev.election.members.MemberChanged;
import dev.election.members.MemberEvent;
import dev.election.members.MemberJoined;
import dev.election.members.MemberLeft;
import dev.election.members.MemberRole;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.members.Members.MembersView;
import dev.election.members.Standing;
import dev.election.store.BeatReply;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.LeaveReply;
import dev.election.store.MemberEntry;
import dev.election.store.MemberNews;
import dev.election.store.ReleaseReply;
import dev.election.store.RosterVersion;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process as a member. Lease 15 s, renewed every 5 s. */
class MembershipTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final String OWN = "this process";

    /** By then a beat that is wanted soon was sent. */
    private static final Duration SOON = Duration.ofMillis(50);

    private final HandDrivenLoop loop = new HandDrivenLoop();
    private final ScriptedStore store = new ScriptedStore();
    private final ElectionEngine engine = engine(MemberSettings.none());
    private final Members members = engine.members().orElseThrow();
    private final List<MemberEvent> events = new ArrayList<>();

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    /** Of the list of the store. */
    private long number;

    @BeforeEach
    void listen() {
        members.addListener(events::add);
    }

    @Test
    void the_first_beat_travels_with_the_first_campaigns_and_tells_of_them() {
        join("a", "b");
        engine.start();
        loop.settle();
        assertThat(store.conversations).containsExactly(List.of("campaign of a", "campaign of b", "beat"));
        BeatRequest request = store.beats.remove().request();
        assertThat(request.known()).isEqualTo(RosterVersion.NONE);
        assertThat(request.expiresAfter()).isEqualTo(LEASE.multipliedBy(5).dividedBy(2));
        assertThat(request.text()).contains("id=me\n", "role.a=CANDIDATE\n", "role.b=CANDIDATE\n");
    }

    @Test
    void an_engine_without_members_sends_no_beat_and_does_not_listen() {
        ElectionEngine without = ElectionEngine.over(store)
                .loop(loop, loop)
                .callbacks(Runnable::run)
                .build();
        without.get("a");
        without.start();
        loop.pass(LEASE);
        without.stop();
        loop.settle();
        assertThat(without.members()).isEmpty();
        assertThat(store.beats).isEmpty();
        assertThat(store.leavings).isEmpty();
        assertThat(store.hearsOfMembers()).isFalse();
    }

    @Test
    void the_beats_of_a_leader_travel_with_its_renewals_once_a_lease() {
        lead("a");
        store.conversations.clear();
        passAnswering(LEASE.multipliedBy(6));
        assertThat(store.conversations).allSatisfy(asked -> assertThat(asked).contains("renewal of a"));
        assertThat(store.conversations.stream().filter(asked -> asked.contains("beat")))
                .hasSizeBetween(6, 10);
    }

    @Test
    void the_beats_of_a_follower_travel_with_its_questions() {
        join("a");
        engine.start();
        loop.settle();
        answerBeats();
        passAnswering(LEASE.multipliedBy(2));
        store.conversations.clear();
        passAnswering(LEASE.multipliedBy(20));
        assertThat(store.conversations).hasSizeBetween(12, 22).allSatisfy(asked -> assertThat(asked)
                .containsExactly("campaign of a", "beat"));
    }

    @Test
    void a_process_without_an_election_beats_by_itself_well_before_it_expires() {
        engine.start();
        loop.settle();
        passAnswering(LEASE.multipliedBy(16));
        assertThat(store.conversations).hasSize(11).allSatisfy(asked -> assertThat(asked)
                .containsExactly("beat"));
    }

    @Test
    void a_beat_that_fails_is_sent_again_after_a_sixth_of_a_lease() {
        engine.start();
        loop.settle();
        store.beats.remove().answer(broken(StoreProblem.LOADING));
        loop.settle();
        assertThat(members.view()).isEqualTo(new MembersView(false, Duration.ZERO, false));
        loop.pass(LEASE.dividedBy(6).minusMillis(1));
        assertThat(store.beats).isEmpty();
        loop.pass(Duration.ofMillis(1));
        store.beats.remove().answer(broken(StoreProblem.LOADING));
        loop.pass(LEASE.dividedBy(6));
        answerBeats();
        assertThat(members.view()).isEqualTo(new MembersView(true, Duration.ZERO, true));
        assertThat(log.withLevels())
                .filteredOn(line -> line.contains("as a member"))
                .extracting(line -> line.split(" ", 2)[0])
                .containsExactly("WARN", "INFO");
    }

    @Test
    void a_member_says_nothing_of_a_store_that_answers_no_election_either() {
        join("a");
        engine.start();
        loop.settle();
        for (int i = 0; i < 5; i++) {
            store.beats.remove().answer(broken(StoreProblem.FORBIDDEN));
            loop.settle();
            answerCampaigns(broken(StoreProblem.FORBIDDEN));
            loop.pass(LEASE.dividedBy(6));
        }
        assertThat(log.warnings()).singleElement().asString().startsWith("No usable reply from");

        answerCampaigns(granted(1));
        answerBeats();
        assertThat(log.with("as a member")).isEmpty();
    }

    @Test
    void a_member_says_what_is_wrong_where_the_store_answers_the_elections() {
        join("a");
        engine.start();
        loop.settle();
        store.beats.remove().answer(broken(StoreProblem.FORBIDDEN));
        loop.settle();
        answerCampaigns(granted(1));
        loop.pass(LEASE.dividedBy(6));
        store.beats.remove().answer(broken(StoreProblem.FORBIDDEN));
        loop.settle();
        assertThat(log.warnings()).singleElement().asString().startsWith("This node can't register as a member");
    }

    @Test
    void a_beat_of_which_nothing_is_heard_for_half_a_lease_is_followed_by_another() {
        engine.start();
        loop.settle();
        var silent = store.beats.remove();
        loop.pass(LEASE.dividedBy(2));
        var next = store.beats.remove();
        silent.answer(all(own(1)));
        loop.settle();
        assertThat(members.view().isComplete()).isTrue();
        next.answer(all(own(1), member("late", 2, "")));
        loop.settle();
        assertThat(ids()).as("both asked for the same changes").containsExactly("me");
    }

    @Test
    void the_late_reply_to_a_beat_is_none_to_the_equal_one_that_followed_it() {
        engine.start();
        loop.settle();
        var late = store.beats.remove();
        loop.pass(LEASE.dividedBy(2));
        assertThat(store.beats.remove().request()).isEqualTo(late.request());
        late.answer(all(own(1)));
        loop.pass(LEASE.dividedBy(2));
        assertThat(store.beats).as("since the second may be lost").hasSize(1);
    }

    @Test
    void of_two_beats_that_were_under_way_together_only_the_first_reply_counts_also_where_changes_are_not_counted() {
        engine.start();
        loop.settle();
        var late = store.beats.remove();
        loop.pass(LEASE.dividedBy(2));
        store.beats.remove().answer(uncounted(own(1), member("other", 2, "")));
        loop.pass(Duration.ofSeconds(1));
        late.answer(uncounted(own(1)));
        loop.settle();
        assertThat(ids()).containsExactly("me", "other");
        assertThat(members.view().age()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void changes_of_a_moment_are_told_with_one_request_soon() {
        join("a", "b", "c");
        engine.start();
        loop.settle();
        answerBeats();
        loop.pass(Duration.ofSeconds(1));
        store.conversations.clear();
        answerCampaigns(granted(1));
        members.setMetadata("colour", "red");
        loop.pass(SOON);
        assertThat(store.conversations).containsExactly(List.of("beat"));
        assertThat(store.beats.remove().request().text())
                .contains("role.a=LEADER\n", "role.b=LEADER\n", "role.c=LEADER\n", "meta.colour=red\n");
    }

    @Test
    void this_process_sees_its_own_changes_at_once() {
        begin(own(3), member("other", 2, ""));
        members.setMetadata("colour", "red");
        loop.settle();
        assertThat(members.find("me")).hasValueSatisfying(self -> {
            assertThat(self.metadata()).containsEntry("colour", "red");
            assertThat(self.order()).isEqualTo(3);
        });
    }

    @Test
    void what_changes_while_a_beat_is_awaited_is_told_right_after_it() {
        engine.start();
        loop.settle();
        members.setMetadata("colour", "red");
        loop.pass(Duration.ofSeconds(1));
        assertThat(store.beats).hasSize(1);
        answerBeats();
        loop.pass(Duration.ZERO);
        assertThat(store.beats.remove().request().text()).contains("meta.colour=red\n");
    }

    @Test
    void a_reply_that_leaves_something_out_is_followed_by_the_next_request_at_once_and_is_not_shown_before_that() {
        begin(own(1), member("old", 2, ""));
        loop.pass(LEASE.multipliedBy(8).dividedBy(5));
        store.beats.remove().answer(new Beaten(new RosterVersion("other", 1, 9), true, true, resolved(own(1))));
        loop.pass(Duration.ZERO);
        assertThat(ids()).containsExactly("me", "old");
        var rest = store.beats.remove();
        assertThat(rest.request().known()).isEqualTo(new RosterVersion("other", 1, 9));
        rest.answer(new Beaten(new RosterVersion("other", 9, 9), false, false, List.of(member("new", 9, ""))));
        loop.settle();
        assertThat(ids()).as("'old' may register again").containsExactly("me", "old", "new");
        loop.pass(LEASE.multipliedBy(3));
        answerBeats();
        assertThat(ids()).containsExactly("me", "new");
    }

    @Test
    void all_is_asked_of_a_copy_in_memory() {
        begin(
                own(1),
                member("one", 2, "role.a=CANDIDATE\ncap.print=A4\nrole.b=LEADER\nuri=http://one:80\n"),
                member("two", 3, "role.a=LEADER\n"),
                member("three", 4, "role.a=CANDIDATE\n"));
        assertThat(members.count()).isEqualTo(4);
        assertThat(members.leader("a")).map(Member::id).contains("two");
        assertThat(members.leader("c")).isEmpty();
        assertThat(members.candidates("a")).extracting(Member::id).containsExactly("one", "three");
        assertThat(members.withRole("b", MemberRole.LEADER))
                .extracting(Member::id)
                .containsExactly("one");
        assertThat(members.withCapability("print")).extracting(Member::id).containsExactly("one");
        assertThat(members.find("one")).map(Member::uri).contains("http://one:80");
        assertThat(members.find("nobody")).isEmpty();
        assertThat(members.own().order()).isEqualTo(1);
        loop.pass(Duration.ofSeconds(3));
        assertThat(members.view()).isEqualTo(new MembersView(true, Duration.ofSeconds(3), true));
        assertThat(log.with("meant for up to 3")).hasSize(1);
    }

    @Test
    void of_two_that_say_that_they_lead_the_later_one_counts() {
        begin(own(1), member("new", 2, ""), member("old", 3, "role.a=LEADER\n"));
        beat(change("new", 7, 2, "role.a=LEADER\n"));
        assertThat(members.leader("a")).map(Member::id).contains("new");
    }

    @Test
    void listeners_are_told_of_who_is_there_and_then_of_each_change() {
        begin(own(1), member("other", 2, ""));
        assertThat(events).extracting(event -> event.member().id()).containsExactlyInAnyOrder("me", "other");
        assertThat(events).allSatisfy(event -> assertThat(event).isInstanceOf(MemberJoined.class));
        events.clear();
        beat(change("other", 3, 2, "zone=west\n"));
        beat(gone("other", 4, LeaveReason.STOPPED), member("third", 5, ""));
        beat(gone("third", 6, LeaveReason.EXPIRED));
        assertThat(events)
                .satisfiesExactly(
                        event -> assertThat(event).isInstanceOfSatisfying(MemberChanged.class, changed -> {
                            assertThat(changed.member().zone()).isEqualTo("west");
                            assertThat(changed.before().zone()).isEmpty();
                        }),
                        event -> assertThat(event)
                                .isInstanceOfSatisfying(MemberLeft.class, left -> assertThat(left.reason())
                                        .isEqualTo(LeaveReason.STOPPED)),
                        event -> assertThat(event).isInstanceOf(MemberJoined.class),
                        event -> assertThat(event)
                                .isInstanceOfSatisfying(MemberLeft.class, left -> assertThat(left.reason())
                                        .isEqualTo(LeaveReason.EXPIRED)));
        List<MemberEvent> late = new ArrayList<>();
        members.addListener(late::add);
        loop.settle();
        assertThat(late).singleElement().isInstanceOfSatisfying(MemberJoined.class, joined -> assertThat(
                        joined.member().id())
                .isEqualTo("me"));
    }

    @Test
    void news_are_shown_at_once_and_confirmed_with_the_next_beat() {
        begin(own(1));
        news(member("other", 2, ""));
        assertThat(ids()).containsExactly("me", "other");
        beat(member("other", 2, ""));
        assertThat(ids()).containsExactly("me", "other");
        news(gone("other", 3, LeaveReason.STOPPED));
        assertThat(ids()).containsExactly("me");
        assertThat(events.get(events.size() - 1))
                .isInstanceOfSatisfying(
                        MemberLeft.class, left -> assertThat(left.reason()).isEqualTo(LeaveReason.STOPPED));
    }

    @Test
    void forged_news_are_gone_with_the_next_beat() {
        begin(own(1), member("other", 2, ""));
        news(gone("other", 9_000, LeaveReason.EXPIRED));
        news(member("invented", 9_001, "role.a=LEADER\n"));
        assertThat(ids()).containsExactly("me", "invented");
        loop.pass(LEASE);
        answerBeats();
        assertThat(ids()).containsExactly("me", "other");
    }

    @Test
    void what_news_say_is_not_confirmed_and_the_store_is_asked_if_somebody_wants_to_know() {
        begin(own(1), member("other", 2, "uri=http://other\n"));
        loop.pass(LEASE.dividedBy(2));
        assertThat(members.confirmed("other")).isEqualTo(members.find("other"));
        loop.pass(LEASE.dividedBy(6));
        assertThat(store.beats).isEmpty();

        news(member("other", 3, "uri=http://forged\n"));
        assertThat(members.find("other").orElseThrow().uri()).isEqualTo("http://forged");
        assertThat(members.confirmed("other").orElseThrow().uri()).isEqualTo("http://other");
        loop.pass(LEASE.dividedBy(6));
        assertThat(store.beats).hasSize(1);
        answerBeats();
        assertThat(members.find("other").orElseThrow().uri()).isEqualTo("http://other");

        news(member("invented", 3, ""));
        assertThat(members.find("invented")).isPresent();
        assertThat(members.confirmed("invented")).isEmpty();
    }

    @Test
    void news_that_come_while_a_beat_is_under_way_outlive_its_reply() {
        begin(own(1));
        loop.pass(LEASE.multipliedBy(8).dividedBy(5));
        news(member("other", 2, ""));
        answerBeats();
        assertThat(ids()).containsExactly("me", "other");
        loop.pass(LEASE.multipliedBy(8).dividedBy(5));
        answerBeats();
        assertThat(ids()).as("forged").containsExactly("me");
    }

    @Test
    void news_that_come_while_a_beat_is_under_way_are_dropped_if_its_reply_is_newer() {
        begin(own(1), member("other", 2, ""));
        loop.pass(LEASE.multipliedBy(8).dividedBy(5));
        news(change("other", 3, 2, "zone=west\n"));
        beat(change("other", 4, 2, "zone=east\n"));
        assertThat(members.find("other")).map(Member::zone).contains("east");
    }

    @Test
    void news_that_are_late_repeated_of_another_list_or_of_this_process_change_nothing() {
        begin(own(1), change("other", 5, 2, "zone=west\n"));
        news(change("other", 4, 2, "zone=east\n"));
        news(change("other", 5, 2, "zone=north\n"));
        news(new MemberEntry.Gone(members.own().instance(), 6, LeaveReason.EXPIRED));
        store.news(new MemberNews.Changed("another", gone("other", 9, LeaveReason.EXPIRED)));
        loop.settle();
        assertThat(ids()).containsExactly("me", "other");
        assertThat(members.find("other")).map(Member::zone).contains("west");
        news(change("other", 8, 2, "zone=south\n"));
        news(change("other", 7, 2, "zone=east\n"));
        assertThat(members.find("other")).map(Member::zone).contains("south");
    }

    @Test
    void a_gap_in_the_news_is_asked_for_within_a_sixth_of_a_lease_and_once_however_many_come() {
        begin(own(1));
        loop.pass(Duration.ofSeconds(5));
        for (int i = 0; i < 100_000; i++) {
            store.news(new MemberNews.Changed("roster", member("invented" + i, 10 + 2L * i, "")));
        }
        loop.settle();
        assertThat(members.count()).isBetween(2, 1001);
        loop.pass(LEASE.dividedBy(6));
        assertThat(store.beats).hasSize(1);
        answerBeats();
        assertThat(ids()).containsExactly("me");
    }

    @Test
    void a_connection_that_is_back_is_a_gap() {
        begin(own(1));
        loop.pass(Duration.ofSeconds(5));
        store.news(new MemberNews.Connected());
        loop.pass(LEASE.dividedBy(10));
        assertThat(store.beats).hasSize(1);
    }

    @Test
    void a_gap_that_is_heard_of_while_a_beat_is_awaited_is_asked_for_after_it() {
        begin(own(1));
        loop.pass(LEASE.multipliedBy(8).dividedBy(5));
        news(member("other", 9, ""));
        answerBeats();
        loop.pass(LEASE.dividedBy(6));
        assertThat(store.beats).hasSize(1);
    }

    @Test
    void members_of_a_list_that_the_store_has_lost_are_shown_until_they_can_have_registered_again() {
        begin(own(1), member("alive", 2, ""), member("dead", 3, ""));
        events.clear();
        loop.pass(LEASE.multipliedBy(8).dividedBy(5));
        store.beats.remove().answer(new Beaten(new RosterVersion("other", 1, 1), true, false, resolved(own(1))));
        loop.settle();
        assertThat(ids()).containsExactly("me", "alive", "dead");
        beatIn("other", 2, change("alive", 2, 2, ""));
        assertThat(events).isEmpty();
        beatIn("other", 2);
        assertThat(events).singleElement().isInstanceOfSatisfying(MemberLeft.class, left -> assertThat(
                        left.member().id())
                .isEqualTo("dead"));
    }

    @Test
    void whoever_leads_in_a_new_list_counts_before_the_leader_of_a_list_that_the_store_has_lost() {
        begin(own(1), member("next", 2, ""), member("dead", 9, "role.a=LEADER\n"));
        loop.pass(LEASE.multipliedBy(8).dividedBy(5));
        store.beats.remove().answer(new Beaten(new RosterVersion("other", 1, 1), true, false, resolved(own(1))));
        loop.settle();
        assertThat(members.leader("a")).map(Member::id).contains("dead");
        beatIn("other", 2, change("next", 2, 2, "role.a=LEADER\n"));
        assertThat(members.leader("a")).map(Member::id).contains("next");
    }

    @Test
    void a_stop_leaves_after_the_leases_were_released() {
        lead("a");
        CompletableFuture<Void> stopped = engine.stop().toCompletableFuture();
        loop.settle();
        assertThat(store.leavings).isEmpty();
        store.releases.remove().answer(new ReleaseReply.Released());
        loop.settle();
        var leaving = store.leavings.remove();
        assertThat(leaving.request()).isEqualTo(members.own().instance());
        leaving.answer(new LeaveReply.Left());
        assertThat(stopped).isCompleted();
        store.beats.clear();
        loop.pass(LEASE.multipliedBy(3));
        assertThat(store.beats).isEmpty();
        assertThat(store.hearsOfMembers()).isFalse();
        engine.stop();
        loop.settle();
        assertThat(store.leavings).isEmpty();
    }

    @Test
    void each_start_is_another_instance_that_begins_from_nothing() {
        begin(own(1), member("other", 2, ""));
        String first = members.own().instance();
        engine.stop();
        loop.settle();
        store.leavings.remove().answer(new LeaveReply.Left());
        store.beats.clear();
        engine.start();
        loop.settle();
        BeatRequest request = store.beats.getLast().request();
        assertThat(request.instance()).isNotEqualTo(first);
        assertThat(request.known()).isEqualTo(RosterVersion.NONE);
        assertThat(members.view().isComplete()).isFalse();
        assertThat(members.count()).isZero();
    }

    @Test
    void after_a_restart_listeners_are_told_what_has_changed_since_the_stop() {
        begin(own(1), member("stays", 2, ""), member("goes", 3, ""));
        String first = members.own().instance();
        engine.stop();
        loop.settle();
        store.leavings.remove().answer(new LeaveReply.Left());
        store.beats.clear();
        events.clear();
        begin(own(5), member("stays", 2, ""), member("comes", 4, ""));
        assertThat(events)
                .filteredOn(MemberJoined.class::isInstance)
                .extracting(event -> event.member().id())
                .containsExactlyInAnyOrder("me", "comes");
        assertThat(events)
                .filteredOn(MemberLeft.class::isInstance)
                .extracting(event -> event.member().id(), event -> ((MemberLeft) event).reason())
                .containsExactlyInAnyOrder(tuple("me", LeaveReason.STOPPED), tuple("goes", LeaveReason.EXPIRED));
        assertThat(events).hasSize(4);
        assertThat(events.stream().map(MemberEvent::member).map(Member::instance))
                .contains(first, members.own().instance());
    }

    @Test
    void a_process_that_joins_under_the_id_of_this_one_is_a_duplicate() {
        begin(own(5));
        beat(new MemberEntry.Present("another", 6, 6, "id=me\n"));
        beat(new MemberEntry.Present("another", 7, 6, "id=me\nzone=west\n"));
        assertThat(duplicates()).isEqualTo(1);
    }

    @Test
    void a_process_that_was_killed_before_this_one_began_under_its_id_is_no_duplicate() {
        begin(new MemberEntry.Present("killed", 3, 2, "id=me\n"), own(5));
        passBeating(LEASE.multipliedBy(5).dividedBy(2));
        beat(gone("killed", 6, LeaveReason.EXPIRED));
        assertThat(duplicates()).isZero();
    }

    @Test
    void where_changes_are_not_counted_a_duplicate_is_found_when_it_has_outlived_every_earlier_beat() {
        MemberEntry other = new MemberEntry.Present("another", 0, 77, "id=me\n");
        engine.start();
        loop.settle();
        MemberEntry self = new MemberEntry.Present(OWN, 0, 5, "id=me\n");
        for (int i = 0; i < 2; i++) {
            store.beats.remove().answer(uncounted(self, other));
            loop.pass(LEASE.multipliedBy(8).dividedBy(5));
            assertThat(duplicates()).isZero();
        }
        store.beats.remove().answer(uncounted(self, other));
        loop.settle();
        assertThat(duplicates()).isEqualTo(1);
    }

    @Test
    void a_process_that_says_too_much_of_itself_is_refused_at_the_start_and_later() {
        MemberSettings long4k = MemberSettings.none().metadata("text", "\u00e4".repeat(2_100));
        assertThatThrownBy(() -> engine(long4k).members())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("may have 4096")
                .hasMessageContaining("shorten its metadata");
        assertThatThrownBy(() -> members.setMetadata("text", "x".repeat(4_090)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> members.setMetadata("a=b", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThat(members.own().metadata()).isEmpty();
    }

    @Test
    void roles_that_do_not_fit_are_left_out_those_as_leader_last() {
        ElectionEngine full = engine(MemberSettings.none().metadata("text", "x".repeat(3_900)));
        assertThat(full.members()).isPresent();
        full.get("led");
        for (int i = 0; i < 40; i++) {
            full.get("e" + i);
        }
        full.start();
        loop.settle();
        store.campaigns.stream()
                .filter(asked -> asked.request().candidate().election().equals("led"))
                .forEach(asked -> asked.answer(granted(1)));
        store.beats.remove().answer(all(own(1)));
        loop.pass(SOON);
        String text = store.beats.remove().request().text();
        assertThat(text).contains("role.led=LEADER\n").contains("role.e0=CANDIDATE\n");
        assertThat(text.length()).isBetween(4_000, 4_096);
    }

    @Test
    void a_text_that_can_not_be_read_is_skipped_and_told_once() {
        begin(own(1), new MemberEntry.Present("x", 2, 2, "nothing"), new MemberEntry.Present("y", 3, 3, "id=a b\n"));
        beat(new MemberEntry.Present("z", 4, 4, "id=z\n" + "meta.a=1\n".repeat(2_000)));
        assertThat(ids()).containsExactly("me");
        assertThat(log.with("can't be read")).hasSize(1);
    }

    @Test
    void parts_of_a_later_version_are_skipped_and_control_characters_replaced() {
        begin(own(1), member("other", 2, "colour=red\nrole.a=WITNESS\nrole.b c=LEADER\nzone=a\\nb\u001b\n"));
        Member other = members.find("other").orElseThrow();
        assertThat(other.roles()).isEmpty();
        assertThat(other.zone()).isEqualTo("a b");
    }

    @Test
    void a_member_is_read_as_it_was_written() {
        Member written = new Member(
                "me",
                "instance",
                "shop",
                "https://host:8443/app",
                "http://host:9000",
                loop.wall().truncatedTo(ChronoUnit.MILLIS),
                "1.2",
                "west",
                Duration.ofSeconds(5),
                Map.of("a.b", "1=2\\"),
                Map.of("print", ""),
                Map.of("e", MemberRole.LEADER, "f", MemberRole.CANDIDATE, "g", MemberRole.OBSERVER),
                Optional.of(new Standing(3, Map.of("e", -1)).balanced(true, Map.of("f", false))),
                7);
        assertThat(MemberText.read(new MemberEntry.Present("instance", 9, 7, MemberText.writeWithRoles(written))))
                .contains(written);
    }

    @Test
    void another_lease_of_a_member_of_the_same_application_is_named_once() {
        begin(
                own(1),
                member("same", 2, "lease=" + LEASE.toMillis() + "\n"),
                member("foreign", 3, "lease=1000\napplication=another\n"),
                member("silent", 4, ""));
        assertThat(otherLeases()).isEmpty();
        beat(change("slow", 5, 5, "lease=60000\n"), change("slow too", 6, 6, "lease=60000\n"));
        beat(change("slow", 7, 5, "lease=60000\nzone=west\n"));
        assertThat(otherLeases())
                .singleElement()
                .asString()
                .contains("slow has a lease of 1 min, this node one of 15 s");
    }

    private List<String> otherLeases() {
        return log.with(" has a lease of ");
    }

    @Test
    void an_election_can_not_have_the_name_of_the_members() {
        assertThatThrownBy(() -> engine.get("members"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("choose another name");
    }

    @Test
    void over_a_store_that_keeps_no_members_there_are_none() {
        assertThat(ElectionEngine.over(ScriptedStore.withoutMessaging())
                        .members(MemberSettings.none())
                        .build()
                        .members())
                .isEmpty();
    }

    @Test
    void a_process_is_a_member_from_when_it_is_asked_for_the_members() {
        ElectionEngine unasked = engine(MemberSettings.none());
        unasked.get("a");
        unasked.start();
        loop.settle();
        unasked.stop();
        loop.settle();
        store.releases.remove().answer(new ReleaseReply.NotHeld());
        loop.settle();
        unasked.start();
        loop.pass(LEASE);
        assertThat(store.beats).isEmpty();
        assertThat(store.leavings).isEmpty();
        assertThat(store.hearsOfMembers()).isFalse();
        assertThat(unasked.members()).isPresent();
        loop.settle();
        assertThat(store.beats.remove().request().text()).contains("role.a=CANDIDATE\n");
        assertThat(store.hearsOfMembers()).isTrue();
    }

    private ElectionEngine engine(MemberSettings settings) {
        return ElectionEngine.over(store)
                .as(new NodeInfo("me", "me:80"))
                .timing(Timing.ofLease(LEASE))
                .members(settings)
                .loop(loop, loop)
                .callbacks(Runnable::run)
                .build();
    }

    private void join(String... names) {
        List.of(names).forEach(engine::get);
    }

    private void lead(String... names) {
        join(names);
        engine.start();
        loop.settle();
        answerCampaigns(granted(1));
        answerBeats();
        // It has another role now.
        loop.pass(SOON);
        answerBeats();
    }

    private void answerCampaigns(CampaignReply reply) {
        while (!store.campaigns.isEmpty()) {
            store.campaigns.remove().answer(reply);
        }
        loop.settle();
    }

    /** The engine starts, and its first beat is answered with these. */
    private void begin(MemberEntry... entries) {
        engine.start();
        loop.settle();
        store.beats.remove().answer(all(entries));
        loop.settle();
    }

    /** The next beat is answered with these changes. */
    private void beat(MemberEntry... changes) {
        beatIn("roster", latest(changes), changes);
    }

    private void beatIn(String roster, long latest, MemberEntry... changes) {
        if (store.beats.isEmpty()) {
            loop.pass(LEASE.multipliedBy(8).dividedBy(5));
        }
        store.beats.remove().answer(new Beaten(new RosterVersion(roster, latest, 1), false, false, resolved(changes)));
        loop.settle();
    }

    private BeatReply all(MemberEntry... entries) {
        return new Beaten(new RosterVersion("roster", latest(entries), 1), true, false, resolved(entries));
    }

    /** As a store of records replies. */
    private BeatReply uncounted(MemberEntry... entries) {
        return new Beaten(new RosterVersion("", 0, 0), true, false, resolved(entries));
    }

    private long latest(MemberEntry... entries) {
        number = Math.max(
                number,
                Arrays.stream(entries).mapToLong(MemberEntry::number).max().orElse(0));
        return number;
    }

    /** With no change. */
    private void answerBeats() {
        while (!store.beats.isEmpty()) {
            var asked = store.beats.remove();
            RosterVersion known = asked.request().known();
            asked.answer(known.equals(RosterVersion.NONE) ? all(own(1)) : new Beaten(known, false, false, List.of()));
            loop.settle();
        }
    }

    private void passBeating(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 100) {
            loop.pass(Duration.ofMillis(Math.min(100, left)));
            answerBeats();
        }
    }

    private void passAnswering(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 10) {
            loop.pass(Duration.ofMillis(Math.min(10, left)));
            while (!store.renewals.isEmpty()) {
                store.renewals.remove().answer(renewed());
            }
            answerCampaigns(held("other", 1, LEASE));
            answerBeats();
        }
    }

    private void news(MemberEntry entry) {
        store.news(new MemberNews.Changed("roster", entry));
        loop.settle();
    }

    /** This process, whose instance is known only once it has started. */
    private static MemberEntry own(long joined) {
        return new MemberEntry.Present(OWN, joined, joined, "id=me\n");
    }

    private List<MemberEntry> resolved(MemberEntry... entries) {
        return Arrays.stream(entries)
                .map(entry -> entry instanceof MemberEntry.Present present
                                && present.instance().equals(OWN)
                        ? new MemberEntry.Present(
                                members.own().instance(), present.number(), present.joined(), present.text())
                        : entry)
                .toList();
    }

    private static MemberEntry member(String id, long joined, String text) {
        return change(id, joined, joined, text);
    }

    private static MemberEntry change(String id, long changed, long joined, String text) {
        return new MemberEntry.Present(id + "-instance", changed, joined, "id=" + id + "\n" + text);
    }

    private static MemberEntry gone(String id, long changed, LeaveReason reason) {
        return new MemberEntry.Gone(id + "-instance", changed, reason);
    }

    private List<String> ids() {
        return members.all().stream().map(Member::id).toList();
    }

    private long duplicates() {
        return log.with("with the same node id me").size();
    }
}
