package org.springframework.web.neighbour;

import dev.election.LeaderOnly;

/** A class of an application in a package of the framework, as one that uses what is visible only there. */
public class OwnInPackageOfFramework {

    @LeaderOnly
    public void run() {}
}
