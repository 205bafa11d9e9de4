package com.example.sample;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.OnLoss;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Fires on every replica and runs on the one that leads. */
@Component
class ReportJob {

    private static final Logger log = LoggerFactory.getLogger(ReportJob.class);

    private final Duration takes;
    private int reports;

    ReportJob(@Value("${sample.report-takes:0s}") Duration takes) {
        this.takes = takes;
    }

    @LeaderOnly(onLoss = OnLoss.INTERRUPT)
    @Scheduled(fixedRateString = "${sample.report-every:2s}")
    void report() {
        // There is none where the elections are switched off.
        String token = FencingToken.current().map(FencingToken::toString).orElse("none");
        reports++;
        log.info("Report {} of this replica begins, fencing token {}", reports, token);
        try {
            Thread.sleep(takes.toMillis());
            log.info("Report {} of this replica is done, fencing token {}", reports, token);
        } catch (InterruptedException noLongerLeading) {
            log.info("Report {} of this replica is given up, fencing token {}", reports, token);
        }
    }
}
