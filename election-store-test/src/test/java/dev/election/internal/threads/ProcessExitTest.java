package dev.election.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.Timing;
import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import dev.election.record.AtomicLeaseStore;
import dev.election.testing.EachEvent;
import dev.election.testing.KillsProcesses;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A listener may end the process, which stops the election in a shutdown hook: neither waits for the other for the drain time. */
@KillsProcesses
class ProcessExitTest {

    private static final Duration DRAIN = Duration.ofMinutes(10);

    @Test
    void a_listener_that_ends_the_process_when_it_acquires_leadership() {
        try (Children children = new Children()) {
            assertEnded(start(children, LeadershipEvent.Acquired.class));
        }
    }

    @Test
    void a_listener_that_ends_the_process_when_it_hears_of_the_loss_at_its_end() {
        try (Children children = new Children()) {
            JvmProcess process = start(children, LeadershipEvent.Lost.class);
            Set<String> heard = ConcurrentHashMap.newKeySet();
            process.listen(heard::add, () -> {});
            process.await("leads", heard, DRAIN);
            process.signal("TERM");
            assertEnded(process);
        }
    }

    private static JvmProcess start(Children children, Class<? extends LeadershipEvent> event) {
        return new JvmProcess(
                event.getSimpleName(),
                children,
                JvmProcess.builder(List.of(), Ending.class, List.of(event.getSimpleName()))
                        .redirectError(ProcessBuilder.Redirect.INHERIT));
    }

    private static void assertEnded(JvmProcess process) {
        assertThat(process.endsWithin(DRAIN.dividedBy(10))).isTrue();
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
            engine.get("reports").addListener(new EachEvent(event -> {
                if (event.getClass().getSimpleName().equals(arguments[0])) {
                    System.exit(0);
                }
            }));
            engine.start();
            engine.get("reports").awaitLeadership(DRAIN);
            System.out.println("leads");
            Thread.sleep(DRAIN.toMillis());
        }
    }
}
