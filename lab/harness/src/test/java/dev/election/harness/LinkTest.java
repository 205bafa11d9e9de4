package dev.election.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.harness.Conditions.Flow;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against a server that sends back what it gets. */
@Tag("real-time")
class LinkTest {

    private static final int PATIENCE_MILLIS = 10_000;
    private static final int NOTHING_COMES_MILLIS = 200;

    @AutoClose
    private ServerSocket server;

    @AutoClose
    private Link link;

    private volatile int echoed;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        run(this::echo);
        link = new Link(server.getLocalPort());
    }

    @Test
    void a_fine_link_lets_everything_through() throws IOException {
        try (Socket socket = connect()) {
            send(socket, 5);
            assertThat(receive(socket, 5)).isEqualTo(5);
        }
    }

    @Test
    void what_is_held_back_arrives_when_the_link_is_fine_again() throws IOException {
        try (Socket socket = connect()) {
            link.become(new Conditions(Flow.FREE, new Flow.Held()));
            send(socket, 5);
            assertThatNothingComes(socket);
            link.become(Conditions.FINE);
            assertThat(receive(socket, 5)).isEqualTo(5);
        }
    }

    @Test
    void a_request_that_is_held_back_arrives_even_if_its_sender_has_gone() throws Exception {
        link.become(new Conditions(new Flow.Held(), Flow.FREE));
        try (Socket socket = connect()) {
            send(socket, 7);
        }
        assertThat(echoed).isZero();
        link.become(Conditions.FINE);
        Wait.until("the late request", Duration.ofSeconds(10), () -> echoed == 7);
    }

    @Test
    void what_is_late_comes_late() throws IOException {
        try (Socket socket = connect()) {
            link.become(new Conditions(Flow.FREE, new Flow.Late(300)));
            long begun = System.nanoTime();
            send(socket, 5);
            assertThat(receive(socket, 5)).isEqualTo(5);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(300_000_000);
        }
    }

    @Test
    void a_narrow_link_takes_its_time() throws IOException {
        try (Socket socket = connect()) {
            link.become(new Conditions(new Flow.Narrow(100), Flow.FREE));
            long begun = System.nanoTime();
            send(socket, 30);
            assertThat(receive(socket, 30)).isEqualTo(30);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(300_000_000);
        }
    }

    @Test
    void a_lossy_link_loses_what_comes_after_the_first_bytes_for_ever() throws IOException {
        try (Socket socket = connect()) {
            link.become(new Conditions(Flow.FREE, new Flow.Lossy(3)));
            send(socket, 5);
            assertThat(receive(socket, 3)).isEqualTo(3);
            assertThatNothingComes(socket);
            link.become(Conditions.FINE);
            send(socket, 5);
            assertThatNothingComes(socket);
        }
    }

    @Test
    void a_reply_can_be_cut_off_by_a_reset() throws IOException {
        try (Socket socket = connect()) {
            link.become(new Conditions(Flow.FREE, new Flow.Reset(3)));
            send(socket, 5);
            assertThatThrownBy(() -> receive(socket, 5)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void a_link_that_refuses_resets_what_is_connected_and_lets_nobody_in_until_it_is_open_again() throws IOException {
        try (Socket socket = connect()) {
            send(socket, 1);
            assertThat(receive(socket, 1)).isEqualTo(1);
            link.refuse();
            assertThatThrownBy(() -> receive(socket, 1)).isInstanceOf(SocketException.class);
        }
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        link.open();
        try (Socket socket = connect()) {
            send(socket, 5);
            assertThat(receive(socket, 5)).isEqualTo(5);
        }
    }

    @Test
    void a_slow_link_delays_both_ways_and_the_handshake_before() throws IOException {
        link.become(new Conditions(new Flow.Slow(0, 100), new Flow.Slow(0, 100)));
        long begun = System.nanoTime();
        try (Socket socket = connect()) {
            send(socket, 5);
            assertThat(receive(socket, 5)).isEqualTo(5);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(400_000_000);
            send(socket, 5);
            assertThat(receive(socket, 5)).isEqualTo(5);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(600_000_000);
        }
    }

    @Test
    void a_lost_segment_comes_after_a_timeout_and_what_is_behind_it_waits() throws Exception {
        try (Socket socket = connect()) {
            link.become(new Conditions(Flow.FREE, new Flow.Slow(1, 0)));
            long begun = System.nanoTime();
            send(socket, 3);
            Wait.until("the first request", Duration.ofSeconds(10), () -> echoed == 3);
            assertThatNothingComes(socket);
            link.become(Conditions.FINE);
            send(socket, 4);
            assertThat(receive(socket, 7)).isEqualTo(7);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(200_000_000);
        }
    }

    @Test
    void a_request_on_a_slow_link_arrives_even_if_its_sender_has_gone() throws Exception {
        link.become(new Conditions(new Flow.Slow(0, 2_500), Flow.FREE));
        try (Socket socket = connect()) {
            send(socket, 7);
        }
        assertThat(echoed).isZero();
        Wait.until("the late request", Duration.ofSeconds(10), () -> echoed == 7);
    }

    @Test
    void servers_can_be_cut_off_while_nodes_pass() throws IOException {
        String address = "127.0.0.2";
        link.becomeFor(address, Conditions.CUT);
        try (Socket ofNode = connect()) {
            send(ofNode, 5);
            assertThat(receive(ofNode, 5)).isEqualTo(5);
        }
        InetAddress servers = InetAddress.getByName(address);
        try (Socket ofServer = new Socket(InetAddress.getLoopbackAddress(), link.port(), servers, 0)) {
            send(ofServer, 3);
            assertThatNothingComes(ofServer);
            link.becomeFor(address, Conditions.FINE);
            assertThat(receive(ofServer, 3)).isEqualTo(3);
        }
    }

    @Test
    void nothing_arrives_while_a_link_stalls_and_all_of_it_does_afterwards() throws IOException {
        try (Socket socket = connect()) {
            long begun = System.nanoTime();
            link.stall(Duration.ofMillis(600));
            send(socket, 5);
            assertThatNothingComes(socket);
            assertThat(receive(socket, 5)).isEqualTo(5);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(600_000_000);
        }
    }

    @Test
    void connections_that_are_made_later_do_not_stall_with_those_that_were_open() throws IOException {
        try (Socket open = connect()) {
            send(open, 1);
            assertThat(receive(open, 1)).isEqualTo(1);
            link.stallOpenConnections(Duration.ofMinutes(1));
            send(open, 2);
            try (Socket later = connect()) {
                send(later, 3);
                assertThat(receive(later, 3)).isEqualTo(3);
            }
            assertThatNothingComes(open);
        }
    }

    @Test
    void a_link_that_hangs_resets_what_is_connected_and_says_nothing_to_others() throws IOException {
        try (Socket socket = connect()) {
            send(socket, 1);
            assertThat(receive(socket, 1)).isEqualTo(1);
            link.hang();
            assertThatThrownBy(() -> receive(socket, 1)).isInstanceOf(SocketException.class);
        }
        try (Socket socket = connect()) {
            send(socket, 5);
            assertThatNothingComes(socket);
            assertThat(link.connections()).isEqualTo(1);
            assertThat(link.connectionsMade()).isEqualTo(2);
        }
        Wait.until("the end that the client has made", Duration.ofSeconds(10), () -> link.connections() == 0);
    }

    @Test
    void a_reply_can_be_another() throws IOException {
        link.become(new Conditions(Flow.FREE, new Flow.Changed(reply -> new byte[reply.length + 2])));
        try (Socket socket = connect()) {
            send(socket, 5);
            assertThat(receive(socket, 7)).isEqualTo(7);
        }
    }

    private void echo() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                run(() -> echo(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void echo(Socket socket) {
        byte[] buffer = new byte[100];
        try (socket) {
            for (int count = socket.getInputStream().read(buffer);
                    count > 0;
                    count = socket.getInputStream().read(buffer)) {
                echoed += count;
                socket.getOutputStream().write(buffer, 0, count);
            }
        } catch (IOException ended) {
            return;
        }
    }

    private static void run(Runnable task) {
        Thread thread = new Thread(task, "echo");
        thread.setDaemon(true);
        thread.start();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void send(Socket socket, int bytes) throws IOException {
        socket.getOutputStream().write(new byte[bytes]);
    }

    private static int receive(Socket socket, int bytes) throws IOException {
        return socket.getInputStream().readNBytes(bytes).length;
    }

    private static void assertThatNothingComes(Socket socket) throws IOException {
        socket.setSoTimeout(NOTHING_COMES_MILLIS);
        assertThatThrownBy(() -> receive(socket, 1)).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }
}
