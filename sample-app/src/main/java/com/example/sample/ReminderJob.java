package com.example.sample;

import dev.election.Partition;
import dev.election.Partitioned;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Reminds the readers of the reports, in partitions that all replicas share. */
@Component
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
class ReminderJob {

    private static final String GROUP = "reminders";

    private static final Logger log = LoggerFactory.getLogger(ReminderJob.class);

    @Partitioned(GROUP)
    @Scheduled(fixedDelayString = "${sample.remind-every:30s}")
    void remind() {
        Partition part = Partition.current();
        log.info("Reminding the readers of partition {} of {}, token {}", part.index(), part.count(), part.token());
    }

    /** Whether an election is a partition: the library has one line for all that move together. */
    static boolean isPartition(String election) {
        return election.startsWith(GROUP + ".");
    }
}
