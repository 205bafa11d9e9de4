package dev.election.harness;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The strict server answers as the real one. */
@Tag("other-servers")
@EnabledIfSystemProperty(named = KubernetesServer.PROPERTY, matches = ".+")
class KubernetesServerTest extends ApiConversations {

    private static List<ApiServer> servers;

    @BeforeAll
    static void start() {
        servers = List.of(new StrictApiServer(), new KubernetesServer());
    }

    @AfterAll
    static void end() {
        servers.forEach(ApiServer::close);
    }

    @Override
    List<ApiServer> servers() {
        return servers;
    }

    @Override
    boolean isReal() {
        return true;
    }
}
