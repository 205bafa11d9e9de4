package dev.election.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.record.ElectionRecord.LockDelay;
import dev.election.record.ElectionRecord.Reserved;
import dev.election.record.StoredElection.Ends;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObservedClockTest {

    private static final long MILLI = 1_000_000;
    private static final LockDelay DELAY = new LockDelay(0, 100, new Reserved("other"));

    private final ObservedClock clock = new ObservedClock();

    private long remainsAt(long nanos) {
        ElectionRecord record = new ElectionRecord(null, null, DELAY, List.of(), List.of());
        StoredElection stored = new StoredElection("write", 0, new Ends(null, "write"), record, List.of());
        LockDelay observed = clock.observe(stored, 1_000, nanos).lockDelay();
        assertThat(observed).isNotNull();
        return observed.ends() - 1_000;
    }

    @Test
    void an_end_counts_from_the_first_sight_of_it() {
        assertThat(remainsAt(7 * MILLI)).isEqualTo(100);
        assertThat(remainsAt(10 * MILLI)).isEqualTo(97);
    }

    /** Its event overtakes the answer to the write. */
    @Test
    void an_end_that_this_process_has_set_counts_from_its_write_also_if_it_was_seen_before_that_was_answered() {
        assertThat(remainsAt(7 * MILLI)).isEqualTo(100);
        clock.wrote("write", new Ends(null, "write"), 5 * MILLI);
        assertThat(remainsAt(10 * MILLI)).isEqualTo(95);
    }

    /** The write was decided before the store lost the newer end of another process, and found the older one again. */
    @Test
    void an_end_that_this_process_left_as_it_was_counts_from_its_sight() {
        assertThat(remainsAt(7 * MILLI)).isEqualTo(100);
        clock.wrote("own", new Ends(null, "write"), 5 * MILLI);
        assertThat(remainsAt(10 * MILLI)).isEqualTo(97);
    }
}
