package com.example.sample.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.sample.testing.Console;
import com.example.sample.testing.SampleMachine;
import com.example.sample.testing.SampleProcess;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The launcher and its replicas, all of them processes. */
@Tag("kills-processes")
class ReplicasTest {

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String LEADS = "This node became the leader of 'default'";
    private static final String LAST_LINE = "/actuator/leaderconsole";

    @RegisterExtension
    final SampleMachine machine = new SampleMachine();

    @Test
    void three_replicas_of_which_one_leads_and_none_stays_when_the_launcher_is_killed() {
        SampleProcess launcher = machine.launch();
        Console console = launcher.console();
        console.await(LAST_LINE, START);
        Console.Line leads = console.await(LEADS, SOON);

        List<MatchResult> replicas = matches(console, "^(app-\\d) is process (\\d+) and answers at (http://\\S+)$");
        assertThat(replicas).extracting(found -> found.group(1)).containsExactly("app-1", "app-2", "app-3");
        assertThat(replicas).extracting(found -> found.group(3)).doesNotHaveDuplicates();
        assertThat(leads.text()).matches("app-\\d \\| .*: app-\\d, fencing token \\d+");
        assertThat(console.all(LEADS)).hasSize(1);
        assertThat(console.all("\033")).as("colours, without a terminal").isEmpty();

        launcher.kill();

        assertThatNothingStays(console);
    }

    @Test
    void a_killed_parent_of_the_launcher_leaves_nothing_either_even_while_a_replica_starts() {
        SampleProcess parent = machine.launchByAnother("--replicas=1");
        parent.console().await("Starting SampleApplication", START);

        parent.kill();

        assertThatNothingStays(parent.console());
    }

    @Test
    void Ctrl_C_ends_the_replicas_in_an_orderly_way() {
        SampleProcess launcher = machine.launch("--replicas=1");
        Console console = launcher.console();
        console.await(LAST_LINE, START);
        console.await(LEADS, SOON);

        launcher.terminateForeground();

        assertThat(launcher.awaitEnd(SOON)).isTrue();
        console.awaitEnd(SOON);
        assertThat(console.all("This node lost the leadership of 'default' (STOPPED)"))
                .hasSize(1);
        assertThatNothingStays(console);
    }

    private static void assertThatNothingStays(Console console) {
        matches(console, " with PID (\\d+) ").forEach(found -> ProcessHandle.of(Long.parseLong(found.group(1)))
                .ifPresent(replica -> SampleMachine.awaitEnd(replica, SOON)));
        int redisPort = Integer.parseInt(
                matches(console, "^Redis listens at port (\\d+)$").get(0).group(1));
        Awaitility.await("the end of Redis").atMost(SOON).until(() -> SampleMachine.redisAt(redisPort)
                .isEmpty());
    }

    private static List<MatchResult> matches(Console console, String pattern) {
        return console.all("").stream()
                .flatMap(line -> Pattern.compile(pattern).matcher(line.text()).results())
                .toList();
    }
}
