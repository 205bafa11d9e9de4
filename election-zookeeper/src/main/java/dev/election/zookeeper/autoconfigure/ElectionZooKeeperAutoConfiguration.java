package dev.election.zookeeper.autoconfigure;

import static dev.election.ElectionConfigurationException.valid;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.store.ConditionalOnStore;
import dev.election.store.LeaseStore;
import dev.election.zookeeper.ZooKeeperAccess;
import dev.election.zookeeper.ZooKeeperLeaseStore;
import dev.election.zookeeper.ZooKeeperSettings;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The lease store in ZooKeeper. */
@AutoConfiguration(before = ElectionAutoConfiguration.class)
@ConditionalOnClass(ZooKeeperLeaseStore.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnStore(ElectionZooKeeperAutoConfiguration.STORE)
@EnableConfigurationProperties({ElectionProperties.class, ElectionZooKeeperProperties.class})
public final class ElectionZooKeeperAutoConfiguration {

    static final String STORE = "zookeeper";

    private static final String PREFIX = "election.zookeeper.prefix";

    @Bean
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class, ZooKeeperAccess.class})
    ZooKeeperAccess electionZooKeeperAccess(ElectionZooKeeperProperties zookeeper) {
        String user = zookeeper.username();
        return valid(
                user == null && zookeeper.password() == null
                        ? "election.zookeeper.connect"
                        : "election.zookeeper.username",
                () -> new ZooKeeperAccess(zookeeper.connect(), user, zookeeper.password(), zookeeper.client()));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class})
    ZooKeeperLeaseStore electionLeaseStore(
            ZooKeeperAccess access, ElectionProperties properties, ElectionZooKeeperProperties zookeeper) {
        ZooKeeperSettings settings = valid(
                PREFIX, () -> new ZooKeeperSettings(zookeeper.prefix(), ZooKeeperSettings.DEFAULT.history(), PREFIX));
        ZooKeeperLeaseStore store = ZooKeeperLeaseStore.open(access, properties.shortestLease(), settings);
        properties.requireLeasesFor(store.traits());
        return store;
    }
}
