package com.example.sample;

import dev.election.Election;
import dev.election.Elections;
import dev.election.partitions.Partitions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Asks what every replica may ask at any time, from memory: who leads, and with which token. */
@Component
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
class Status {

    private static final Logger log = LoggerFactory.getLogger(Status.class);

    private final Elections elections;
    private final Partitions partitions;

    Status(Elections elections, Partitions partitions) {
        this.elections = elections;
        this.partitions = partitions;
    }

    @Scheduled(fixedRateString = "${sample.status-every:30s}", initialDelayString = "${sample.status-every:30s}")
    void show() {
        for (Election election : elections.all()) {
            if (ReminderJob.isPartition(election.name())) {
                continue;
            }
            String leader = election.leader()
                    .map(known -> known.node() + " with token " + known.token())
                    .orElse("nobody");
            log.info("'{}' is led by {}; this replica is {}", election.name(), leader, election.role());
        }
        partitions
                .all()
                .forEach(group -> log.info("Of '{}' this replica leads the partitions {}", group.name(), group.held()));
    }
}
