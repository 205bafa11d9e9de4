package dev.election.routing;

import dev.election.testing.RealTime;

/** On Jetty. */
@RealTime
class JettyServletPathsTest extends ServletPathsTest {

    @Override
    String server() {
        return Replicas.JETTY;
    }
}
