package dev.election.zookeeper.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.autoconfigure.DocumentedProperties;
import dev.election.autoconfigure.StoreWiringContract;
import dev.election.harness.Children;
import dev.election.harness.TemporaryFolders;
import dev.election.harness.ZooKeeperServer;
import dev.election.store.LeaseStore;
import dev.election.store.ReadReply;
import dev.election.testing.OtherServers;
import dev.election.zookeeper.ZooKeeperAccess;
import dev.election.zookeeper.ZooKeeperLeaseStore;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ZooKeeperAutoConfigurationTest extends StoreWiringContract {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Application.class);

    ZooKeeperAutoConfigurationTest() {
        super(ZooKeeperLeaseStore.class, ZooKeeperAccess.class);
    }

    @Override
    protected ApplicationContextRunner application() {
        return runner;
    }

    @Test
    void every_property_is_documented_with_its_default_and_no_other() throws IOException {
        DocumentedProperties.areThoseOfTheMetadata(name -> name.startsWith("election.zookeeper."));
    }

    @Test
    @OtherServers
    void an_application_reaches_its_ensemble() {
        try (ZooKeeperServer server =
                new ZooKeeperServer(Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper"))) {
            server.start();
            runner.withUserConfiguration(Guarded.class)
                    .withPropertyValues(
                            "election.zookeeper.connect=" + server.address() + "/shop",
                            "election.zookeeper.username=shop",
                            "election.zookeeper.password=secret")
                    .run(context -> {
                        assertThat(context)
                                .hasSingleBean(ZooKeeperLeaseStore.class)
                                .hasSingleBean(Elections.class);
                        LeaseStore store = context.getBean(LeaseStore.class);
                        assertThat(store.read("reports").toCompletableFuture().get(20, TimeUnit.SECONDS))
                                .isInstanceOf(ReadReply.Read.class);
                        assertThat(store.location()).isEqualTo("ZooKeeper (" + server.address() + "/shop/election)");
                    });
        }
    }

    @Test
    void settings_are_those_of_the_properties() {
        runner.withPropertyValues(
                        "election.zookeeper.connect=zk1:2181,zk2:2181/shop",
                        "election.zookeeper.prefix=mine",
                        "election.zookeeper.client.zookeeper.client.secure=true")
                .run(context -> {
                    assertThat(context.getBean(LeaseStore.class).location())
                            .isEqualTo("ZooKeeper (zk1:2181,zk2:2181/shop/mine)");
                    assertThat(context.getBean(ZooKeeperAccess.class).client())
                            .isEqualTo(Map.of("zookeeper.client.secure", "true"));
                });
    }

    @Test
    void an_access_of_the_application_takes_precedence() {
        runner.withBean(ZooKeeperAccess.class, () -> new ZooKeeperAccess("own:1", null, null, Map.of()))
                .run(context ->
                        assertThat(context.getBean(LeaseStore.class).location()).startsWith("ZooKeeper (own:1/"));
    }

    @ParameterizedTest
    @CsvSource({
        "election.zookeeper.prefix=A prefix, election.zookeeper.prefix",
        "election.zookeeper.prefix=zookeeper, election.zookeeper.prefix",
        "election.zookeeper.connect=/shop, election.zookeeper.connect",
        "election.zookeeper.username=shop, election.zookeeper.username",
        "election.lease=4s, election.lease"
    })
    void an_invalid_value_fails_the_start_with_its_property(String setting, String property) {
        runner.withPropertyValues(setting)
                .run(context -> assertThat(failure(context)).hasMessageContaining(property));
    }
}
