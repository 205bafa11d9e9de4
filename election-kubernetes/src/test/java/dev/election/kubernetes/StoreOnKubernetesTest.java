package dev.election.kubernetes;

import dev.election.harness.ApiServer;
import dev.election.harness.KubernetesServer;
import dev.election.testing.OtherServers;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contracts over a real API server and its etcd. */
@OtherServers
@EnabledIfSystemProperty(named = KubernetesServer.PROPERTY, matches = ".+")
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class StoreOnKubernetesTest extends StoreOnApiServerContract {

    @Override
    ApiServer open() {
        return new KubernetesServer();
    }

    /**
     * Here, since each start of an API server takes seconds. First, since the server learns of rights by watches, which a restore below it
     * makes silent.
     */
    @Nested
    @Order(1)
    class Manifests extends DocumentedManifests {

        Manifests() {
            super(server);
        }
    }
}
