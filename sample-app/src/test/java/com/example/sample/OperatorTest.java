package com.example.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.sample.testing.SampleProcess;
import com.example.sample.testing.ThreeReplicas;
import com.example.sample.testing.ThreeReplicas.Leadership;
import com.jayway.jsonpath.JsonPath;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operator at three processes, by the actuator of one that follows. */
@Tag("kills-processes")
class OperatorTest {

    /** Two requests to a leader that hangs take less of it than it has after any renewal, also if the machine pauses. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    /** Longer than any pause of a leader that is well. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String ELECTION = "leader/default";

    @RegisterExtension
    static final ThreeReplicas replicas = new ThreeReplicas("election.lease=15s", "sample.report-every=1s");

    @Test
    void a_follower_that_is_asked_makes_the_leader_give_up_and_stay_out_for_a_while() {
        Leadership before = replicas.leader();
        SampleProcess asked = replicas.others(before.replica()).get(0);

        HttpResponse<String> reply = asked.operate("DELETE", ELECTION + "?cooldown=8s");

        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(text(reply, "$.outcome")).isEqualTo("RELEASED");
        assertThat(text(reply, "$.before.token")).isEqualTo(Long.toString(before.token()));
        assertThat(duration(text(reply, "$.took"))).isLessThan(PATIENCE);
        Leadership after = replicas.awaitLeaderAfter(before, SOON);
        assertThat(text(reply, "$.leader.token")).isEqualTo(Long.toString(after.token()));
        assertThat(after.replica()).isNotSameAs(before.replica());
        assertThat(role(before.replica())).isEqualTo("COOLING_DOWN");
        Awaitility.await().atMost(SOON).until(() -> role(before.replica()).equals("FOLLOWER"));
    }

    @Test
    void the_node_that_is_named_takes_over_and_no_other() {
        Leadership before = replicas.leader();
        List<SampleProcess> others = replicas.others(before.replica());
        String wished = node(others.get(1));

        HttpResponse<String> reply = others.get(0).operate("DELETE", ELECTION + "?to=" + wished);

        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(text(reply, "$.leader.node")).isEqualTo(wished);
        assertThat(replicas.awaitLeaderAfter(before, SOON).replica()).isSameAs(others.get(1));
    }

    @Test
    void a_leader_that_hangs_is_left_alone_unless_it_is_forced_and_steps_down_when_it_is_back() {
        Leadership hung = replicas.leader();
        SampleProcess asked = replicas.others(hung.replica()).get(0);
        // The first answer of a process takes a second, and the lease goes on.
        assertThat(asked.operate("GET", ELECTION).statusCode()).isEqualTo(200);
        hung.replica().freeze();
        try {
            HttpResponse<String> polite = asked.operate("DELETE", ELECTION);
            assertThat(polite.statusCode()).as(polite.body()).isEqualTo(504);
            assertThat(text(polite, "$.outcome")).isEqualTo("NO_REACTION");

            HttpResponse<String> forced = asked.operate("DELETE", ELECTION + "?force=true");
            assertThat(forced.statusCode()).as(forced.body()).isEqualTo(200);
            assertThat(text(forced, "$.outcome")).isEqualTo("EVICTED");
            assertThat(text(forced, "$.detail")).contains("only its fencing token " + hung.token());
            Leadership next = replicas.awaitLeaderAfter(hung, SOON);
            assertThat(text(forced, "$.leader.token")).isEqualTo(Long.toString(next.token()));
        } finally {
            hung.replica().thaw();
        }
        hung.replica().console().awaitAfter(hung.line(), "This node lost the leadership of 'default'", SOON);
        Awaitility.await().atMost(SOON).until(() -> role(hung.replica()).equals("FOLLOWER"));
    }

    @Test
    void who_led_and_why_no_longer_is_told_by_any_replica_even_by_one_that_was_not_there() {
        Leadership killed = replicas.leader();
        killed.replica().kill();
        Leadership next = replicas.awaitLeaderAfter(killed, LEASE.plus(SOON));
        SampleProcess fresh = replicas.startAnother();
        fresh.awaitResult();

        HttpResponse<String> reply = fresh.operate("GET", ELECTION);

        assertThat(text(reply, "$.leaderships[0].token")).isEqualTo(Long.toString(next.token()));
        assertThat(text(reply, "$.leaderships[0].until")).isEqualTo("null");
        assertThat(text(reply, "$.leaderships[1].token")).isEqualTo(Long.toString(killed.token()));
        assertThat(text(reply, "$.leaderships[1].reason")).isEqualTo("EXPIRED");
        assertThat(text(reply, "$.leader.node")).isEqualTo(node(next.replica()));
    }

    private static String role(SampleProcess replica) {
        return text(replica.operate("GET", ELECTION), "$.role");
    }

    private static String node(SampleProcess replica) {
        return text(replica.operate("GET", "leader"), "$.node.id");
    }

    private static String text(HttpResponse<String> reply, String path) {
        Object found = JsonPath.read(reply.body(), path);
        return String.valueOf(found);
    }

    /** As it is written for people, below a minute. */
    private static Duration duration(String text) {
        return text.endsWith(" ms")
                ? Duration.ofMillis(Long.parseLong(text.replace(" ms", "")))
                : Duration.ofMillis(Math.round(Double.parseDouble(text.replace(" s", "")) * 1000));
    }
}
