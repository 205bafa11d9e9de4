package dev.election.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What many followers of one election cost the store, and that its queue knows all of them. */
class CrowdTest {

    private static final Duration LEASE = Crowd.LEASE;

    @ParameterizedTest
    @ValueSource(ints = {50, 200, 1_000})
    void no_living_follower_loses_its_place_while_leaders_follow_each_other_within_a_lease(int size) {
        Crowd crowd = new Crowd(size);
        for (int change = 0; change < 10; change++) {
            crowd.leader().resign();
            crowd.pass(LEASE.multipliedBy(7).dividedBy(10));
            assertThat(crowd.forgotten()).as("after change %d", change).isZero();
        }
    }

    @Test
    void no_living_follower_loses_its_place_while_leaders_crash() {
        Crowd crowd = new Crowd(200);
        for (int change = 0; change < 5; change++) {
            crowd.leader().die();
            while (!crowd.hasLeader()) {
                crowd.pass(Duration.ofMillis(10));
            }
            crowd.pass(Duration.ofMillis(100));
            assertThat(crowd.forgotten()).as("after crash %d", change).isZero();
        }
    }

    @Test
    void no_living_follower_loses_its_place_by_a_campaign_that_is_lost() {
        Crowd crowd = new Crowd(200);
        crowd.loseCampaigns(0.1);
        for (int lease = 0; lease < 10; lease++) {
            crowd.pass(LEASE);
            assertThat(crowd.forgotten()).as("after lease %d", lease).isZero();
        }
    }

    @Test
    void a_thousand_followers_ask_evenly_and_once_a_lease() {
        Crowd crowd = new Crowd(1_000);
        long begin = crowd.nanos();
        crowd.pass(LEASE.multipliedBy(10));
        List<Long> asked = crowd.campaignsSince(begin);
        assertThat(asked).hasSizeBetween(9_000, 11_000);
        assertThat(percentile99(asked, begin)).isLessThanOrEqualTo(10);
    }

    @Test
    void a_thousand_followers_have_a_leader_soon_after_the_front_has_died_with_the_last() {
        Crowd crowd = new Crowd(1_000);
        crowd.leader().die();
        crowd.front(3).forEach(Crowd.Member::die);
        long end = crowd.leaseEnd();
        crowd.pass(Duration.ofNanos(end - crowd.nanos()));
        assertThat(crowd.hasLeader()).isFalse();
        crowd.pass(LEASE.dividedBy(5));
        assertThat(crowd.hasLeader()).isTrue();
        assertThat(crowd.campaignsSince(end - 10_000_000)).hasSizeLessThan(1_000);
    }

    @Test
    void fifty_followers_send_few_campaigns_for_a_lease_that_is_released() {
        Crowd crowd = new Crowd(51);
        for (int change = 0; change < 10; change++) {
            long begin = crowd.nanos();
            crowd.leader().resign();
            crowd.pass(Duration.ofMillis(20));
            assertThat(crowd.hasLeader()).isTrue();
            crowd.pass(Duration.ofMillis(980));
            assertThat(crowd.campaignsSince(begin)).hasSizeLessThanOrEqualTo(4);
            crowd.pass(LEASE.multipliedBy(2));
        }
    }

    /** Many elections whose leader was one process: what each of them costs then comes at one time. */
    @ParameterizedTest
    @ValueSource(ints = {2, 20, 100})
    void twenty_nodes_send_few_campaigns_after_a_crash_also_where_answers_take_long(int longestWayMillis) {
        int campaigns = 0;
        for (int crash = 0; crash < 10; crash++) {
            Crowd crowd = new Crowd(20, Duration.ofMillis(longestWayMillis));
            crowd.pass(Duration.ofMillis(377L * crash));
            crowd.leader().die();
            long end = crowd.leaseEnd();
            crowd.pass(Duration.ofNanos(end - crowd.nanos()).plusSeconds(1));
            assertThat(crowd.hasLeader()).isTrue();
            campaigns += crowd.campaignsSince(end).size();
        }
        assertThat(campaigns).isLessThanOrEqualTo(40);
    }

    @Test
    void a_thousand_followers_that_are_connected_again_do_not_ask_at_a_time() {
        Crowd crowd = new Crowd(1_000);
        long begin = crowd.nanos();
        crowd.reconnect();
        crowd.pass(LEASE.dividedBy(2));
        List<Long> asked = crowd.campaignsSince(begin);
        assertThat(asked).hasSizeGreaterThanOrEqualTo(999);
        assertThat(busiest(asked, begin)).isLessThanOrEqualTo(25);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 20, 300})
    void without_an_order_followers_ask_one_by_one_within_a_tenth_of_a_lease(int size) {
        Crowd crowd = Crowd.withoutOrder(size);
        long released = crowd.nanos();
        crowd.leader().resign();
        crowd.pass(LEASE.dividedBy(10).plusMillis(40));
        assertThat(crowd.hasLeader()).isTrue();
        assertThat(crowd.campaignsSince(released)).hasSizeLessThanOrEqualTo(1 + size / 50);

        crowd.pass(LEASE.multipliedBy(2));
        crowd.leader().die();
        long end = crowd.leaseEnd();
        crowd.pass(
                Duration.ofNanos(end - crowd.nanos()).plus(LEASE.dividedBy(10)).plusMillis(40));
        assertThat(crowd.hasLeader()).isTrue();

        long begin = crowd.nanos();
        crowd.pass(LEASE.multipliedBy(10));
        int followers = size - 3;
        assertThat(crowd.campaignsSince(begin)).hasSizeBetween(followers * 7, followers * 11);
    }

    /** How many came within 10 ms, in all but one of a hundred such times. */
    private static long percentile99(List<Long> asked, long begin) {
        long[] counts = counts(asked, begin, LEASE.multipliedBy(10));
        Arrays.sort(counts);
        return counts[counts.length * 99 / 100];
    }

    private static long busiest(List<Long> asked, long begin) {
        return Arrays.stream(counts(asked, begin, LEASE)).max().orElse(0);
    }

    private static long[] counts(List<Long> asked, long begin, Duration time) {
        long[] counts = new long[(int) (time.toMillis() / 10)];
        asked.forEach(at -> counts[(int) ((at - begin) / 10_000_000)]++);
        return counts;
    }
}
