package dev.election.kubernetes;

import dev.election.harness.ApiServer;
import dev.election.harness.KubernetesServer;
import dev.election.testing.OtherServers;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contracts over a real API server and its etcd. */
@OtherServers
@EnabledIfSystemProperty(named = KubernetesServer.PROPERTY, matches = ".+")
class StoreOnKubernetesTest extends StoreOnApiServerContract {

    @Override
    ApiServer open() {
        return new KubernetesServer();
    }
}
