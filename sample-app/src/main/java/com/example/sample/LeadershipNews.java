package com.example.sample;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Tells on the console what became of this replica. */
@Component
class LeadershipNews implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger(LeadershipNews.class);

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
        if (ReminderJob.isPartition(event.election())) {
            return;
        }
        log.info(
                "This node became the leader of '{}': {}, fencing token {}",
                event.election(),
                event.leader().node(),
                event.leader().token());
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        if (ReminderJob.isPartition(event.election())) {
            return;
        }
        log.info(
                "This node lost the leadership of '{}' ({}), fencing token {}",
                event.election(),
                event.reason(),
                event.token());
    }
}
