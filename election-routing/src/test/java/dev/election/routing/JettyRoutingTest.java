package dev.election.routing;

import dev.election.testing.RealTime;

/** Spring MVC on Jetty. */
@RealTime
class JettyRoutingTest extends MvcRoutingTest {

    @Override
    Replicas replicas() {
        return on(Replicas.JETTY);
    }

    /** Jetty refuses what it can't take over. */
    @Override
    String declinedUpgrade() {
        return "";
    }

    /** Jetty reads no other. */
    @Override
    String otherMultipart() {
        return "multipart/form-data";
    }
}
