package com.example.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.sample.testing.Console;
import com.example.sample.testing.SampleMachine;
import com.example.sample.testing.SampleProcess;
import dev.election.harness.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The Quartz job of the sample. */
@Tag("kills-processes")
class QuartzJobTest {

    private static final String DIGEST = "Digest of ";
    private static final Duration SOON = Duration.ofSeconds(20);

    /** Between two there is time to note one and to kill the leader also if the machine pauses. */
    private static final int SECONDS_BETWEEN = 3;

    private static final String[] PROPERTIES = {
        "election.lease=6s", "sample.digest-cron=0/" + SECONDS_BETWEEN + " * * * * ?", "sample.report-every=200ms"
    };

    @RegisterExtension
    final SampleMachine machine = new SampleMachine();

    @AutoClose
    private final RedisProcess redis = machine.startForeignRedis();

    @Test
    void it_runs_on_the_leader_and_what_falls_between_two_leaders_is_done_by_the_second() {
        SampleProcess leader = machine.start(PROPERTIES);
        Console.Line led = leader.awaitLeadershipFromNow(Duration.ofSeconds(60));
        SampleProcess follower = machine.start(PROPERTIES);
        follower.awaitFollowing();
        Console.Line last = leader.console().awaitNext(DIGEST, SOON);
        assertThat(last.token()).isEqualTo(led.token());
        assertThat(follower.console().all(DIGEST)).isEmpty();

        // What the leader has just done has certainly been noted two reports later.
        Console.Line noted = leader.console().awaitAfter(last, "Report", SOON);
        leader.console().awaitAfter(noted, "Report", SOON);
        leader.kill();

        Console.Line leads = follower.awaitLeadershipFromNow(SOON);
        Console.Line first = follower.console().awaitAfter(leads, DIGEST, SOON);
        assertThat(first.token()).isEqualTo(leads.token());
        Console.Line second = follower.console().awaitAfter(first, DIGEST, SOON);
        follower.console().awaitAfter(second, DIGEST, SOON);
        leader.console().awaitEnd(SOON);
        List<Instant> slots = Stream.of(leader, follower)
                .flatMap(replica -> replica.console().all(DIGEST).stream())
                .map(line -> slot(line.text()))
                .sorted()
                .toList();
        assertThat(slots)
                .isEqualTo(Stream.iterate(slots.get(0), slot -> slot.plusSeconds(SECONDS_BETWEEN))
                        .limit(slots.size())
                        .toList());
    }

    private static Instant slot(String line) {
        int begin = line.indexOf(DIGEST) + DIGEST.length();
        return Instant.parse(line.substring(begin, line.indexOf(',', begin)));
    }
}
