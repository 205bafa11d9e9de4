package dev.election.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.faults.checker.Checker;
import dev.election.faults.checker.Verdict;
import dev.election.faults.checker.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private final List<Entry> entries = new ArrayList<>();

    @Test
    void each_election_of_a_group_is_judged_for_itself() {
        begin();
        for (long at = 0; at <= 3000; at += 10) {
            entries.add(new Entry.Answer("a", true, 1, nanos(at), nanos(at)));
            leadsElsewhere("e1", "b", at);
            leadsElsewhere("e2", "a", at);
            leadsElsewhere("e2", at < 1000 ? "a" : "b", at);
        }
        History history = end();
        assertThat(history.others()).containsExactly("e1", "e2");
        assertThat(Checker.judge(history.of("e1")).violations()).isEmpty();
        assertThat(Checker.judge(history.of("e2")).violations()).hasAtLeastOneElementOfType(Violation.TwoLeaders.class);
    }

    @Test
    void an_election_that_nobody_leads_beside_one_that_somebody_does_is_found() {
        begin();
        for (long at = 0; at <= 3000; at += 10) {
            entries.add(new Entry.Answer("a", true, 1, nanos(at), nanos(at)));
            if (at < 1000) {
                leadsElsewhere("e1", "b", at);
            }
        }
        Verdict verdict = Checker.judge(end().of("e1"));
        assertThat(verdict.violations()).singleElement().isInstanceOf(Violation.NoLeader.class);
    }

    private void begin() {
        entries.add(new Entry.Begun("written", "STANDALONE", 2000, 1, 0));
    }

    private void leadsElsewhere(String election, String node, long at) {
        entries.add(new Entry.Elsewhere(election, node, true, 1, nanos(at), nanos(at)));
    }

    private History end() {
        entries.add(new Entry.Mustered(List.of("a"), nanos(3000)));
        entries.add(new Entry.Over(nanos(3000)));
        return new History(entries);
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
