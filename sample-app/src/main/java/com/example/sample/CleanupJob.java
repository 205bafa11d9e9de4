package com.example.sample;

import dev.election.LeaderOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Has an election of its own, so that reports and clean-ups may run on different replicas. */
@Component
class CleanupJob {

    private static final Logger log = LoggerFactory.getLogger(CleanupJob.class);

    @LeaderOnly("cleanup")
    @Scheduled(fixedRateString = "${sample.cleanup-every:10s}")
    void cleanUp() {
        log.info("Cleaning up");
    }
}
