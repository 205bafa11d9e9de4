package dev.election.playground;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {

    private final List<String> console = new ArrayList<>();
    private final Journal journal = new Journal(console::add);

    @Test
    void a_slot_that_two_replicas_run_is_counted_and_so_is_one_that_none_runs() {
        digest("app-1", "2026-11-26T10:00:00Z");
        digest("app-1", "2026-11-26T10:00:02Z");
        digest("app-2", "2026-11-26T10:00:02Z");
        digest("app-2", "2026-11-26T10:00:08Z");

        assertThat(journal.slots()).isEqualTo(new Journal.Slots(3, 1, 2));
    }

    @Test
    void lines_of_jobs_and_changes_of_leader_are_told_apart() {
        journal.hear(
                "app-1",
                "10:00:00.000 INFO  LeadershipNews : This node became the leader of 'default': app-1, fencing token 7");
        journal.hear("app-1", "10:00:00.100 INFO  ReportJob : Report 1 of this replica begins, fencing token 7");
        journal.hear("app-1", "10:00:00.100 INFO  Startup : Something else");
        journal.note("app-1", "was killed (kill -9)");

        assertThat(journal.jobs())
                .extracting(Journal.Entry::text)
                .containsExactly("Report 1 of this replica begins, fencing token 7");
        assertThat(journal.events())
                .extracting(Journal.Entry::text)
                .containsExactly(
                        "This node became the leader of 'default': app-1, fencing token 7", "was killed (kill -9)");
        assertThat(console).hasSize(4).allMatch(line -> line.contains("app-1"));
    }

    private void digest(String replica, String slot) {
        journal.hear(replica, "10:00:00.000 INFO  DigestJob : Digest of " + slot + ", fencing token 7");
    }
}
