package com.example.sample.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;

class NextFreePortTest {

    private final int port = Ports.free();

    @Test
    void a_port_that_is_taken_is_left_to_whoever_has_it() throws Exception {
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            WebServer server = start();
            try {
                assertThat(server.getPort()).isGreaterThan(taken.getLocalPort());
            } finally {
                server.destroy();
            }
        }
    }

    @Test
    void servers_that_are_told_the_same_port_listen_at_several() {
        WebServer first = start();
        WebServer second = start();
        try {
            assertThat(second.getPort()).isNotEqualTo(first.getPort());
        } finally {
            first.destroy();
            second.destroy();
        }
    }

    private WebServer start() {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(port);
        factory.setAddress(InetAddress.getLoopbackAddress());
        factory.setProtocol(NextFreePort.class.getName());
        WebServer server = factory.getWebServer();
        server.start();
        return server;
    }
}
