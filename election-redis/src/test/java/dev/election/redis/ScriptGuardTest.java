package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.election.harness.RedisBinary;
import dev.election.testing.AnyRedis;
import dev.election.testing.RedisServer;
import dev.election.testing.Thorough;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Takes each guard out of its script and expects the contract to notice. */
@Thorough
@Execution(ExecutionMode.CONCURRENT)
class ScriptGuardTest {

    /** The test of the contract that each guard is there for. */
    private static final Map<String, String> NOTICED_BY = Map.ofEntries(
            Map.entry("campaign candidacy", "others_learn_who_leads_and_how_long"),
            Map.entry(
                    "campaign quarantine",
                    "after_forgetting_nobody_is_granted_the_lease_for_a_full_lease_by_one_who_has_seen_a_token"),
            Map.entry(
                    "campaign deleted",
                    "a_lease_that_vanished_before_its_time_is_not_granted_to_another_until_it_would_have_ended"),
            Map.entry(
                    "campaign restored",
                    "a_lease_that_came_back_with_old_data_is_not_granted_again_while_another_may_lead"),
            Map.entry("campaign overdue", "a_grant_is_not_repeated_once_a_lease_has_passed_without_a_renewal"),
            Map.entry("common incarnation", "a_store_that_may_have_lost_a_grant_keeps_everybody_out_for_a_lease"),
            Map.entry("common clock", "a_lease_lasts_no_longer_than_it_was_made_for_when_the_clock_goes_back"),
            Map.entry("renew newer", "a_leader_takes_the_place_of_an_older_one_whose_lease_came_back_with_old_data"),
            Map.entry("server replica", "a_server_that_was_a_replica_meanwhile_keeps_everybody_out_however_old_it_is"),
            Map.entry(
                    "campaign connection",
                    "where_the_server_does_not_tell_its_incarnation_a_campaign_waits_for_a_lease_after_it_has_connected"),
            Map.entry(
                    "campaign unheard",
                    "a_server_without_a_record_waits_for_a_whole_lease_where_its_user_may_not_publish"),
            Map.entry("renew unchanged_owner", "nobody_but_the_holder_extends_its_lease"),
            Map.entry("renew unchanged_token", "a_lease_under_another_token_than_the_granted_one_is_not_extended"),
            Map.entry("renew unchanged_end", "a_lease_that_has_ended_is_not_extended_although_its_key_is_still_there"),
            Map.entry("renew unchanged_incarnation", "a_renewal_notes_that_another_incarnation_has_written_the_record"),
            Map.entry("renew unchanged_visitor", "candidates_and_the_holder_hear_of_each_others_application"),
            Map.entry(
                    "renew unchanged_lock_delay",
                    "a_renewal_deletes_a_lock_delay_that_has_ended_although_its_key_is_still_there"),
            Map.entry("renew owner", "nobody_but_the_holder_extends_its_lease"),
            Map.entry("renew token", "the_holder_with_another_token_does_not_extend_the_lease"),
            Map.entry("renew expiry", "a_forgotten_lease_is_not_established_again_after_its_end"),
            Map.entry("renew superseded", "a_forgotten_lease_is_not_established_again_once_a_higher_token_was_granted"),
            Map.entry("renew closed", "a_late_renewal_does_not_bring_a_released_lease_back"),
            Map.entry(
                    "renew aftermath",
                    "once_a_forgotten_lease_has_come_back_the_next_holder_waits_for_a_full_lease_even_after_a_release"),
            Map.entry("release owner", "nobody_but_the_holder_releases_a_lease"),
            Map.entry("release token", "the_holder_with_another_token_does_not_release_the_lease"),
            Map.entry("release expiry", "a_release_that_comes_after_the_end_of_a_forgotten_lease_changes_nothing"),
            Map.entry(
                    "release superseded",
                    "a_release_of_a_forgotten_lease_changes_nothing_once_a_higher_token_was_granted"),
            Map.entry(
                    "release closed",
                    "a_late_renewal_does_not_bring_back_a_lease_that_was_released_after_the_store_had_forgotten_it"),
            Map.entry(
                    "release aftermath", "after_a_release_of_a_forgotten_lease_the_next_holder_waits_for_a_full_lease"),
            Map.entry("evict token", "an_eviction_leaves_every_other_leadership_alone"),
            Map.entry("evict closed", "an_evicted_holder_can_neither_renew_nor_release_nor_come_back"),
            Map.entry("members format", "keys_in_a_newer_format_are_refused"),
            Map.entry("members latest", "a_roster_key_that_is_lost_alone_is_another_list"),
            Map.entry("members lost", "a_reader_of_another_list_begins_from_nothing"),
            Map.entry("members incarnation", "members_of_another_incarnation_are_another_list"),
            Map.entry("members kept", "all_keys_expire_where_nobody_beats"),
            Map.entry("members clock", "a_member_whose_end_lies_too_far_ahead_expires_after_its_time"),
            Map.entry(
                    "members order",
                    "a_member_whose_end_lies_too_far_ahead_expires_after_its_time_also_beside_an_order_to_drain"),
            Map.entry(
                    "members floor",
                    "a_reader_that_was_away_for_longer_than_leavings_are_remembered_begins_from_nothing"),
            Map.entry("members overdue", "a_member_expires_when_it_has_not_beaten_for_its_time_and_not_before"),
            Map.entry(
                    "members gone_for",
                    "a_reader_that_was_away_for_longer_than_leavings_are_remembered_begins_from_nothing"),
            Map.entry("members most_gone", "no_more_than_a_thousand_that_are_gone_are_remembered"),
            Map.entry("beat text", "members_are_in_the_order_in_which_they_joined_also_when_they_change"),
            Map.entry("beat lasts", "a_member_lasts_for_as_long_as_it_said_last"),
            Map.entry("beat version", "members_whose_versions_are_lost_are_seen_again_after_their_next_beat"),
            Map.entry("beat same", "a_beat_that_says_the_same_is_no_change"),
            Map.entry("beat returned", "a_member_that_has_returned_is_not_forgotten_with_those_that_are_gone"),
            Map.entry("beat bytes", "a_reply_is_bounded_and_the_next_ones_get_the_rest_in_order"),
            Map.entry("beat begun", "a_new_reader_is_not_told_who_has_left_before"),
            Map.entry("beat changes", "more_changes_than_a_reply_has_come_with_the_next_ones"),
            Map.entry("beat roster", "a_reader_of_another_list_begins_from_nothing"),
            Map.entry("beat ahead", "a_version_that_is_newer_than_the_list_is_that_of_data_that_was_lost"),
            Map.entry(
                    "beat forgotten",
                    "a_reader_that_was_away_for_longer_than_leavings_are_remembered_begins_from_nothing"),
            Map.entry("leave there", "a_leaving_of_who_is_not_there_is_no_change"));

    /** Those that need servers of their own. */
    private static final Set<String> OF_INCARNATIONS =
            Set.of("server replica", "campaign connection", "campaign unheard", "members incarnation");

    @AutoClose
    private static final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    /** For the contract that runs on this thread. */
    private static final ThreadLocal<ScriptSet> SCRIPTS = ThreadLocal.withInitial(ScriptSet::load);

    @ParameterizedTest
    @MethodSource("guards")
    void the_contract_notices_that_a_guard_is_missing(MissingGuard missing) {
        String test = NOTICED_BY.get(missing.toString());
        assertThat(test)
                .as("the test that notices that " + missing + " is missing")
                .isNotNull();
        Class<?> contract = contract(missing);
        SCRIPTS.remove();
        assertThat(failures(contract, test)).as("failures of the whole scripts").isZero();
        SCRIPTS.set(ScriptSet.of(missing::source));
        assertThat(failures(contract, test)).as("failures without the guard").isEqualTo(1);
    }

    private static Class<?> contract(MissingGuard missing) {
        if (OF_INCARNATIONS.contains(missing.toString())) {
            return MutilatedIncarnation.class;
        }
        return missing.isOfMembers() ? MutilatedMembers.class : MutilatedContract.class;
    }

    static Stream<MissingGuard> guards() {
        return MissingGuard.all();
    }

    private static long failures(Class<?> contract, String test) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(contract, test))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getTestsStartedCount()).as("tests that ran").isEqualTo(1);
        return summary.getTestsFailedCount();
    }

    /** Run by this test alone. */
    static class MutilatedContract extends RedisContract {

        @BeforeAll
        void openStore() {
            open(AnyRedis.at(server.uri()));
        }

        @AfterAll
        void closeStore() {
            close();
        }

        @Override
        ScriptSet scripts() {
            return SCRIPTS.get();
        }
    }

    /** Run by this test alone. */
    static class MutilatedMembers extends RedisMembersContract {

        @BeforeAll
        void start() {
            open(AnyRedis.at(server.uri()));
        }

        @AfterAll
        void stop() {
            close();
        }

        @Override
        ScriptSet scripts() {
            return SCRIPTS.get();
        }
    }

    /** Run by this test alone. */
    static class MutilatedIncarnation extends IncarnationContract {

        @Override
        ScriptSet scripts() {
            return SCRIPTS.get();
        }
    }
}
