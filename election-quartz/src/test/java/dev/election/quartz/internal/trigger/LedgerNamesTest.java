package dev.election.quartz.internal.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quartz.TriggerKey;

/** What Quartz is called in the ledger. */
class LedgerNamesTest {

    @Test
    void no_two_triggers_have_the_same_name() {
        assertThat(List.of(
                        slots("s", new TriggerKey("c", "a.b")),
                        slots("s", new TriggerKey("b.c", "a")),
                        slots("s", new TriggerKey("b/c", "a")),
                        slots("s", new TriggerKey("c", "a/b")),
                        slots("s/a", new TriggerKey("c", "b"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void no_scheduler_s_name_begins_with_that_of_another_and_a_slash() {
        assertThat(LedgerNames.scheduler("s/a")).doesNotStartWith(LedgerNames.scheduler("s") + "/");
    }

    @Test
    void the_same_firing_id_in_two_leaderships_is_two_names() {
        assertThat(LedgerNames.running(new FencingToken(1), "1"))
                .isNotEqualTo(LedgerNames.running(new FencingToken(2), "1"));
    }

    private static String slots(String scheduler, TriggerKey trigger) {
        return LedgerNames.scheduler(scheduler) + "/slot/" + LedgerNames.schedule(trigger);
    }
}
