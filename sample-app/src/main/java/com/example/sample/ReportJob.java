package com.example.sample;

import dev.election.Election;
import dev.election.LeaderWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job that must not run twice at the same time, wherever its replicas run. */
@Component
class ReportJob {

    private static final Logger log = LoggerFactory.getLogger(ReportJob.class);

    private final Election election;
    private int reports;

    ReportJob(Election election) {
        this.election = election;
    }

    @Scheduled(fixedRateString = "${sample.report-every:2s}")
    void report() {
        election.beginWork().ifPresent(work -> {
            try (work) {
                write(work);
            }
        });
    }

    private void write(LeaderWork work) {
        reports++;
        log.info("Report {} of this replica, fencing token {}", reports, work.token());
    }
}
