package com.example.sample;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Fires on every replica and runs on the one that leads. */
@Component
class ReportJob {

    private static final Logger log = LoggerFactory.getLogger(ReportJob.class);

    private int reports;

    @LeaderOnly
    @Scheduled(fixedRateString = "${sample.report-every:2s}")
    void report() {
        reports++;
        log.info(
                "Report {} of this replica, fencing token {}",
                reports,
                FencingToken.current().orElseThrow());
    }
}
