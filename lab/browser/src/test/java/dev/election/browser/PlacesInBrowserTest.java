package dev.election.browser;

import dev.election.testing.InBrowser;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page wherever an application or a proxy puts it. */
@InBrowser
class PlacesInBrowserTest {

    @AutoClose
    private static final Replicas replicas = new Replicas();

    private static ReplicaProcess below;
    private static ReplicaProcess apart;

    @AutoClose
    private final Browser browser = new Browser();

    @BeforeAll
    static void start() {
        below = replicas.start("below", "server.servlet.context-path=/shop", "election.redis.key-prefix=below");
        apart = replicas.start(
                "apart",
                "election.redis.key-prefix=apart",
                "management.server.port=0",
                "management.server.address=127.0.0.1",
                "management.endpoints.web.base-path=/ops",
                "management.endpoints.web.path-mapping.leaderconsole=pages/leaders");
        below.awaitStarted();
        apart.awaitStarted();
    }

    @Test
    void below_a_context_path_and_behind_a_proxy_that_strips_a_prefix() {
        showsAndMoves("http://127.0.0.1:" + below.port() + "/shop/actuator/leaderconsole");
        try (StrippingProxy proxy = new StrippingProxy("/teams/billing", below.port())) {
            showsAndMoves("http://127.0.0.1:" + proxy.port() + "/teams/billing/shop/actuator/leaderconsole");
            showsAndMoves("http://127.0.0.1:" + proxy.port() + "/teams/billing/shop/actuator/leaderconsole/");
        }
    }

    @Test
    void at_a_port_and_a_path_of_its_own() {
        showsAndMoves("http://127.0.0.1:" + apart.managementPort() + "/ops/pages/leaders");
        showsAndMoves("http://127.0.0.1:" + apart.managementPort() + "/ops/pages/leaders/");
    }

    private void showsAndMoves(String page) {
        browser.open(page + "#/elections/default");
        browser.awaitText(".title .mark", " leads");
        browser.button("Give up…").click();
        browser.button("Give up").click();
        browser.awaitText(".progress", "has released its leadership");
        browser.button("Close").click();
        browser.awaitText(".title .mark", " leads");
        browser.assertNothingWrong();
    }
}
