package dev.election.testing;

import org.springframework.scheduling.annotation.Scheduled;

/** Its method can't be overridden from another package. */
public class PackagePrivateSchedule {

    @Scheduled(fixedDelay = 1000)
    void poll() {}
}
