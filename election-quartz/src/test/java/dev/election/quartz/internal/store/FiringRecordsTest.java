package dev.election.quartz.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.quartz.internal.ClusteredStoreTest;
import dev.election.testing.LoggedLines;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.simpl.RAMJobStore;

/** Whose records can be read. What they say is shown by {@link ClusteredStoreTest}. */
class FiringRecordsTest {

    @Test
    void a_store_without_a_database_does_not_tell() throws Exception {
        assertThat(FiringRecords.of(new RAMJobStore(), "scheduler").has("record"))
                .isTrue();
    }

    /** To ask it again and again would hold its scheduler up for good. */
    @Test
    void a_store_that_answers_itself_and_whose_records_can_not_be_read_does_not_tell() throws Exception {
        JobStoreTX store = new JobStoreTX();
        store.setDataSource("unknown to Quartz");
        FiringRecords records = FiringRecords.of(store, "scheduler");
        assertThatThrownBy(() -> records.has("record")).isInstanceOf(SQLException.class);

        try (LoggedLines log = new LoggedLines("dev.election.quartz")) {
            for (int answer = 0; answer < 5; answer++) {
                records.check();
            }
            assertThat(log.with("in the job store of 'scheduler' can't be read"))
                    .hasSize(1);
        }

        assertThat(records.has("record")).isTrue();
    }
}
