package dev.election.etcd.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.autoconfigure.DocumentedProperties;
import dev.election.autoconfigure.StoreWiringContract;
import dev.election.etcd.EtcdAccess;
import dev.election.etcd.EtcdLeaseStore;
import dev.election.harness.EtcdServer;
import dev.election.store.LeaseStore;
import dev.election.store.ReadReply;
import dev.election.testing.OtherServers;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class EtcdAutoConfigurationTest extends StoreWiringContract {

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withUserConfiguration(Application.class);

    EtcdAutoConfigurationTest() {
        super(EtcdLeaseStore.class, EtcdAccess.class);
    }

    @Override
    protected ApplicationContextRunner application() {
        return application;
    }

    @Test
    void every_property_is_documented_with_its_default_and_no_other() throws IOException {
        DocumentedProperties.areThoseOfTheMetadata(name -> name.startsWith("election.etcd."));
    }

    @Test
    void without_a_property_it_is_the_etcd_of_this_machine() {
        application.withUserConfiguration(Guarded.class).run(context -> {
            assertThat(context).hasSingleBean(EtcdLeaseStore.class).hasSingleBean(Elections.class);
            assertThat(context.getBean(LeaseStore.class).location())
                    .isEqualTo("etcd (http://localhost:2379), keys election/*");
        });
    }

    @Test
    void endpoints_prefix_and_user_are_those_of_the_properties_and_the_password_is_not_shown() {
        application
                .withPropertyValues(
                        "election.etcd.endpoints=https://a:2379,https://b:2379",
                        "election.etcd.prefix=shop/leases",
                        "election.etcd.username=shop",
                        "election.etcd.password=secret")
                .run(context -> {
                    assertThat(context.getBean(LeaseStore.class).location())
                            .isEqualTo("etcd (https://a:2379, https://b:2379), keys shop/leases/*");
                    EtcdAccess access = context.getBean(EtcdAccess.class);
                    assertThat(access.user()).isEqualTo(new EtcdAccess.User("shop", "secret"));
                    assertThat(access.toString()
                                    + context.getBean(ElectionEtcdProperties.class)
                                    + context.getBean(LeaseStore.class).location())
                            .doesNotContain("secret");
                });
    }

    @Test
    @OtherServers
    void a_secured_etcd_is_reached_with_the_certificates_of_the_bundle() {
        try (EtcdServer server = EtcdServer.secured()) {
            application
                    .withPropertyValues(
                            "election.etcd.endpoints=" + server.address(),
                            "election.etcd.ssl-bundle=etcd",
                            "spring.ssl.bundle.pem.etcd.truststore.certificate=" + EtcdServer.certificate(),
                            "spring.ssl.bundle.pem.etcd.keystore.certificate="
                                    + EtcdServer.client().certificate(),
                            "spring.ssl.bundle.pem.etcd.keystore.private-key="
                                    + EtcdServer.client().key())
                    .run(context -> assertThat(context.getBean(LeaseStore.class)
                                    .read("reports")
                                    .toCompletableFuture()
                                    .get(20, TimeUnit.SECONDS))
                            .isInstanceOf(ReadReply.Read.class));
            application
                    .withPropertyValues("election.etcd.endpoints=" + server.address())
                    .run(context -> assertThat(context.getBean(LeaseStore.class)
                                    .read("reports")
                                    .toCompletableFuture()
                                    .get(20, TimeUnit.SECONDS)
                                    .toString())
                            .contains("is not trusted"));
        }
    }

    @Test
    void an_access_of_the_application_takes_precedence() {
        EtcdAccess own = new EtcdAccess(List.of(URI.create("https://own.example:2379")), null, () -> null);
        application.withBean(EtcdAccess.class, () -> own).run(context -> assertThat(
                        context.getBean(LeaseStore.class).location())
                .startsWith("etcd (https://own.example:2379)"));
    }

    @ParameterizedTest
    @CsvSource({
        "election.etcd.prefix=shop/, election.etcd.prefix",
        "election.etcd.endpoints=localhost:2379, election.etcd.endpoints",
        "election.etcd.endpoints=https://shop:secret@a:2379, election.etcd.endpoints",
        "election.etcd.endpoints=https://a:2379/v3, election.etcd.endpoints",
        "election.etcd.endpoints=, election.etcd.endpoints",
        "election.etcd.username=shop, election.etcd.password",
        "election.etcd.password=secret, election.etcd.username",
        "election.etcd.ssl-bundle=missing, election.etcd.ssl-bundle",
        "election.lease=2s, election.lease"
    })
    void an_invalid_value_fails_the_start_with_its_property_and_without_a_password(String setting, String property) {
        application.withPropertyValues(setting).run(context -> assertThat(failure(context))
                .hasMessageContaining(property)
                .hasMessageNotContaining("secret"));
    }
}
