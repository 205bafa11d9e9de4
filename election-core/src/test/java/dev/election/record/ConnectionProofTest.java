package dev.election.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.record.ConnectionProof.Link;
import dev.election.record.ConnectionProof.Sent;
import dev.election.record.RecordStore.Origin;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectionProofTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    /** Close to where the clock of a JVM may overflow. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);

    private final AtomicInteger fallen = new AtomicInteger();
    private final ConnectionProof proof = new ConnectionProof(nanos::get);

    ConnectionProofTest() {
        proof.whenReplaced(fallen::incrementAndGet);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private Origin read(Link link, String name, long version) {
        return proof.read(link, proof.sending(name), version);
    }

    private Origin listed(Link link, long version) {
        return proof.listed(link, proof.sending(""), version);
    }

    private Origin written(Link link, String name, long version) {
        return proof.written(link, proof.sending(name), version);
    }

    @Test
    void a_connection_proves_that_the_store_is_the_same_for_as_long_as_it_is_there() {
        Link link = proof.opened();
        Origin first = heard(link);
        pass(LONG);
        assertThat(heard(link)).isEqualTo(first);
        assertThat(read(link, "a", 7)).isEqualTo(first);
    }

    @Test
    void a_connection_that_is_opened_within_500_ms_of_the_last_reply_carries_the_proof_on() {
        Origin first = heard(proof.opened());
        pass(Duration.ofMillis(499));
        Link second = proof.opened();
        // Its first reply may be late.
        pass(LONG);
        assertThat(heard(second)).isEqualTo(first);
        pass(Duration.ofMillis(499));
        assertThat(heard(proof.opened())).isEqualTo(first);
    }

    @Test
    void a_connection_that_is_opened_later_begins_a_proof_of_its_own() {
        Origin first = heard(proof.opened());
        pass(Duration.ofMillis(500));
        Link second = proof.opened();
        Origin anew = heard(second);
        assertThat(anew).isNotEqualTo(first);
        assertThat(heard(second)).isEqualTo(anew);
        pass(Duration.ofMillis(499));
        assertThat(heard(proof.opened())).isEqualTo(anew);
    }

    @Test
    void a_connection_that_was_opened_and_never_heard_of_carries_nothing_on() {
        Origin first = heard(proof.opened());
        pass(Duration.ofMillis(400));
        proof.opened();
        pass(Duration.ofMillis(400));
        assertThat(heard(proof.opened())).isNotEqualTo(first);
    }

    @Test
    void a_connection_adopts_the_proof_of_an_older_one_that_is_heard_of_after_it_was_opened() {
        Link older = proof.opened();
        Origin first = heard(older);
        pass(LONG);
        Link younger = proof.opened();
        assertThat(heard(younger)).isNotEqualTo(first);
        pass(LONG);
        assertThat(heard(older)).isEqualTo(first);
        assertThat(heard(younger)).isEqualTo(first);
        pass(Duration.ofMillis(499));
        assertThat(heard(proof.opened())).isEqualTo(first);
    }

    @Test
    void an_older_connection_never_adopts_the_proof_of_a_younger_one() {
        Link older = proof.opened();
        pass(LONG);
        Origin younger = heard(proof.opened());
        assertThat(heard(older)).isNotEqualTo(younger);
    }

    @Test
    void a_younger_connection_does_not_keep_the_proof_of_an_older_one_that_has_ended_for_itself_alone() {
        Origin first = heard(proof.opened());
        pass(Duration.ofMillis(300));
        Link second = proof.opened();
        assertThat(heard(second)).isEqualTo(first);
        pass(LONG);
        // Still the same connection, so nothing was restored meanwhile.
        assertThat(heard(second)).isEqualTo(first);
        pass(Duration.ofMillis(500));
        assertThat(heard(proof.opened())).isNotEqualTo(first);
    }

    @Test
    void a_version_of_an_object_that_falls_is_another_store_on_all_connections() {
        Link link = proof.opened();
        pass(Duration.ofMillis(1));
        Link other = proof.opened();
        Origin first = read(link, "a", 10);
        assertThat(heard(other)).isEqualTo(first);
        assertThat(read(link, "a", 10)).isEqualTo(first);
        assertThat(fallen).hasValue(0);
        Origin anew = read(link, "a", 9);
        assertThat(anew).isNotEqualTo(first);
        assertThat(fallen).hasValue(1);
        assertThat(heard(other)).isEqualTo(anew);
    }

    @Test
    void a_version_of_an_object_is_not_compared_with_those_of_others() {
        Link link = proof.opened();
        Origin first = read(link, "a", 10);
        assertThat(read(link, "b", 5)).isEqualTo(first);
        listed(link, 20);
        assertThat(read(link, "a", 10)).isEqualTo(first);
        assertThat(fallen).hasValue(0);
    }

    @Test
    void a_version_of_a_list_that_falls_below_any_is_another_store() {
        Link link = proof.opened();
        Origin first = read(link, "a", 10);
        assertThat(listed(link, 10)).isEqualTo(first);
        assertThat(fallen).hasValue(0);
        assertThat(listed(link, 9)).isNotEqualTo(first);
        assertThat(fallen).hasValue(1);
    }

    @Test
    void a_list_is_compared_with_earlier_lists() {
        Link link = proof.opened();
        Origin first = listed(link, 10);
        assertThat(listed(link, 9)).isNotEqualTo(first);
    }

    @Test
    void a_write_whose_version_is_not_above_all_is_another_store() {
        Link link = proof.opened();
        Origin first = listed(link, 10);
        assertThat(written(link, "a", 11)).isEqualTo(first);
        assertThat(fallen).hasValue(0);
        assertThat(written(link, "b", 11)).isNotEqualTo(first);
        assertThat(fallen).hasValue(1);
    }

    @Test
    void a_version_that_was_written_is_the_least_that_a_read_shows() {
        Link link = proof.opened();
        Origin first = written(link, "a", 10);
        assertThat(read(link, "a", 9)).isNotEqualTo(first);
    }

    @Test
    void a_reply_that_others_have_overtaken_is_no_fall() {
        Link link = proof.opened();
        Sent read = proof.sending("a");
        Sent list = proof.sending("");
        Sent write = proof.sending("b");
        Origin first = written(link, "a", 10);
        assertThat(proof.read(link, read, 5)).isEqualTo(first);
        assertThat(proof.listed(link, list, 8)).isEqualTo(first);
        assertThat(proof.written(link, write, 9)).isEqualTo(first);
        assertThat(fallen).hasValue(0);
        // And they lower nothing.
        assertThat(read(link, "a", 9)).isNotEqualTo(first);
    }

    @Test
    void after_a_fall_versions_count_from_the_lower_one() {
        Link link = proof.opened();
        read(link, "a", 10);
        read(link, "b", 10);
        Origin anew = read(link, "a", 4);
        assertThat(read(link, "b", 3)).isEqualTo(anew);
        assertThat(listed(link, 4)).isEqualTo(anew);
        assertThat(written(link, "b", 5)).isEqualTo(anew);
        assertThat(fallen).hasValue(1);
        assertThat(read(link, "b", 4)).isNotEqualTo(anew);
        assertThat(fallen).hasValue(2);
    }

    @Test
    void the_versions_of_so_many_objects_are_remembered_and_no_more() {
        Link link = proof.opened();
        read(link, "first", 10);
        for (int i = 0; i < 4095; i++) {
            read(link, "object " + i, 10);
        }
        read(link, "first", 10);
        Origin before = read(link, "one more", 10);
        assertThat(read(link, "object 0", 5)).isEqualTo(before);
        assertThat(read(link, "first", 9)).isNotEqualTo(before);
    }

    @Test
    void what_a_paused_process_reads_late_does_not_bridge_the_pause() {
        Link watch = proof.opened();
        Origin first = heard(watch);
        pass(Duration.ofSeconds(20));
        assertThat(proof.told(watch)).isEqualTo(first);
        assertThat(heard(proof.opened())).isNotEqualTo(first);
    }

    @Test
    void a_reply_counts_from_when_its_request_was_sent() {
        Link link = proof.opened();
        Origin first = heard(link);
        Sent sent = proof.sending("");
        pass(Duration.ofSeconds(20));
        assertThat(proof.heard(link, sent)).isEqualTo(first);
        assertThat(heard(proof.opened())).isNotEqualTo(first);
    }

    @Test
    void a_store_that_was_replaced_is_another_one_on_all_connections_and_counts_anew() {
        Link link = proof.opened();
        Origin first = listed(link, 10);
        proof.replaced();
        assertThat(fallen).hasValue(1);
        Origin anew = listed(link, 3);
        assertThat(anew).isNotEqualTo(first);
        assertThat(written(link, "", 4)).isEqualTo(anew);
        assertThat(fallen).hasValue(1);
    }

    private Origin heard(Link link) {
        return proof.heard(link, proof.sending(""));
    }
}
