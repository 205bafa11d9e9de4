package dev.election.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.faults.Arena.Assignment;
import dev.election.faults.checker.Checker;
import dev.election.faults.checker.Verdict;
import dev.election.faults.history.History;
import dev.election.faults.nemesis.DatabaseFault;
import dev.election.faults.nemesis.Fault;
import dev.election.faults.nemesis.Plan;
import dev.election.faults.nemesis.StandbyFault;
import dev.election.faults.report.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** One fault of a PostgreSQL and one of a standby, side by side; a soak has all of them. */
@Tag("kills-processes")
@Isolated
class DatabaseShortRunTest {

    private static final long SEED = 6;

    /** The shortest that a database may have. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    @Test
    void no_fault_of_a_database_makes_two_leaders_or_leaves_none_for_longer_than_the_design_says() throws Exception {
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/short-runs")), "database");
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Verdict> killed =
                    threads.submit(() -> run(folder.resolve("1"), Plan.Kind.DATABASE, DatabaseFault.KILL_DATABASE));
            Future<Verdict> promoted =
                    threads.submit(() -> run(folder.resolve("2"), Plan.Kind.STANDBY, StandbyFault.PROMOTED_LAGGING));
            List<Verdict> verdicts = List.of(killed.get(), promoted.get());
            System.out.println(new Report(verdicts, List.of()).markdown());
            assertThat(verdicts)
                    .as("seed %d, histories in %s", SEED, folder)
                    .allSatisfy(verdict -> assertThat(verdict.violations()).isEmpty());
        } finally {
            threads.shutdownNow();
        }
    }

    private static Verdict run(Path folder, Plan.Kind kind, Fault fault) throws Exception {
        Assignment assignment = new Assignment(kind.name(), kind, LEASE, Plan.of(List.of(fault), SEED));
        try (Arena arena = new Arena(folder, 1)) {
            return Checker.judge(
                    History.read(arena.run(List.of(assignment), () -> true).get(0)));
        }
    }
}
