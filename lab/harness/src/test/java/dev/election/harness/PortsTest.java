package dev.election.harness;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server can listen at its port although processes are being started beside it, which hold copies of all sockets for a moment. */
class PortsTest {

    private static final int SERVERS = 3_000;

    private volatile boolean enough;
    private final CompletableFuture<Void> launching = CompletableFuture.runAsync(this::launchProcesses);

    @AfterEach
    void end_the_launches() {
        enough = true;
        launching.join();
    }

    @Test
    void a_free_port_is_free_while_processes_are_started() {
        for (int i = 0; i < SERVERS; i++) {
            int port = Ports.free();
            assertThatCode(() -> new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void a_server_listens_again_at_its_port_while_processes_are_started() throws IOException {
        ServerSocket door = Ports.listen();
        for (int i = 0; i < SERVERS; i++) {
            door.close();
            door = Ports.listenAgain(door.getLocalPort());
        }
        door.close();
    }

    private void launchProcesses() {
        try {
            while (!enough) {
                int unused = new ProcessBuilder("/bin/true").start().waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw Wait.interrupted(e);
        }
    }
}
