package dev.election.testing;

import dev.election.LeaderOnly;

/** Its method can't be overridden from another package. */
public class PackagePrivateWork {

    @LeaderOnly
    void work() {}
}
