package dev.election.etcd.autoconfigure;

import static dev.election.ElectionConfigurationException.valid;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.store.ConditionalOnStore;
import dev.election.etcd.EtcdAccess;
import dev.election.etcd.EtcdLeaseStore;
import dev.election.etcd.EtcdSettings;
import dev.election.store.LeaseStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/** The lease store in etcd. */
@AutoConfiguration(before = ElectionAutoConfiguration.class)
@ConditionalOnClass(EtcdLeaseStore.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnStore(ElectionEtcdAutoConfiguration.STORE)
@EnableConfigurationProperties({ElectionProperties.class, ElectionEtcdProperties.class})
public final class ElectionEtcdAutoConfiguration {

    static final String STORE = "etcd";

    private static final String PREFIX = "election.etcd.prefix";

    @Bean
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class, EtcdAccess.class})
    EtcdAccess electionEtcdAccess(ElectionEtcdProperties etcd, ObjectProvider<SslBundles> bundles) {
        String name = etcd.sslBundle();
        if (name == null) {
            return access(etcd, () -> null);
        }
        SslBundles known = bundles.getObject();
        if (!known.getBundleNames().contains(name)) {
            throw ElectionConfigurationException.ofProperty(
                    "election.etcd.ssl-bundle", "There is no SSL bundle '" + name + "'");
        }
        // Asked for each time: a bundle can be reloaded.
        return access(etcd, () -> known.getBundle(name).createSslContext());
    }

    private static EtcdAccess access(ElectionEtcdProperties etcd, EtcdAccess.Tls tls) {
        String user = etcd.username();
        String password = etcd.password();
        if ((user == null) != (password == null)) {
            throw ElectionConfigurationException.ofProperty(
                    user == null ? "election.etcd.username" : "election.etcd.password",
                    "A user of etcd has a name and a password: set both, or none",
                    null);
        }
        return valid(
                "election.etcd.endpoints",
                () -> new EtcdAccess(
                        etcd.endpoints(),
                        user == null || password == null ? null : new EtcdAccess.User(user, password),
                        tls));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class})
    EtcdLeaseStore electionLeaseStore(EtcdAccess access, ElectionProperties properties, ElectionEtcdProperties etcd) {
        EtcdSettings settings =
                valid(PREFIX, () -> new EtcdSettings(etcd.prefix(), EtcdSettings.DEFAULT.history(), PREFIX));
        EtcdLeaseStore store = EtcdLeaseStore.open(access, properties.shortestLease(), settings);
        properties.requireLeasesFor(store.traits());
        return store;
    }
}
