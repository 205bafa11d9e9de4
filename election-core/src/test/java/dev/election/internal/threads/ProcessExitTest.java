package dev.election.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.Timing;
import dev.election.record.AtomicLeaseStore;
import dev.election.testing.KillsProcesses;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A listener may end the process, which stops the election in a shutdown hook: neither waits for the other for the drain time. */
@KillsProcesses
class ProcessExitTest {

    private static final Duration DRAIN = Duration.ofMinutes(10);

    @Test
    void a_listener_that_ends_the_process_when_it_acquires_leadership() throws Exception {
        Process process = start(LeadershipEvent.Acquired.class);
        try {
            assertEnded(process);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void a_listener_that_ends_the_process_when_it_hears_of_the_loss_at_its_end() throws Exception {
        Process process = start(LeadershipEvent.Lost.class);
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("leads");
            process.destroy();
            assertEnded(process);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(Class<? extends LeadershipEvent> event) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = List.of(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Ending.class.getName(),
                event.getSimpleName());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void assertEnded(Process process) throws InterruptedException {
        assertThat(process.waitFor(DRAIN.dividedBy(10).toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    /** Leads, and ends with the first event of the kind that it is told. */
    static final class Ending {

        private Ending() {}

        public static void main(String[] arguments) throws InterruptedException {
            Duration lease = Duration.ofMinutes(1);
            ElectionEngine engine = ElectionEngine.over(new AtomicLeaseStore(System::currentTimeMillis))
                    .timing(new Timing(lease, lease.dividedBy(3), DRAIN))
                    .build();
            Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
            engine.get("reports").addListener(new LeadershipListener() {
                @Override
                public void onEvent(LeadershipEvent event) {
                    if (event.getClass().getSimpleName().equals(arguments[0])) {
                        System.exit(0);
                    }
                }
            });
            engine.start();
            engine.get("reports").awaitLeadership(DRAIN);
            System.out.println("leads");
            Thread.sleep(DRAIN.toMillis());
        }
    }
}
