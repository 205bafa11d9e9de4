package dev.election.kubernetes;

import dev.election.harness.ApiServer;
import dev.election.harness.KubernetesServer;
import dev.election.testing.OtherServers;

/** The contracts over a real API server and its etcd. */
@OtherServers
class StoreOnKubernetesTest extends StoreOnApiServerContract {

    @Override
    ApiServer open() {
        return new KubernetesServer();
    }
}
