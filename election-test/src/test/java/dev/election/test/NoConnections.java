package dev.election.test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.jspecify.annotations.Nullable;

/** A port where Redis could be, but where nobody is to call. */
final class NoConnections {

    private final ServerSocketChannel door;

    NoConnections() throws IOException {
        door = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        door.configureBlocking(false);
    }

    int port() {
        return door.socket().getLocalPort();
    }

    /** Who has called, if anybody; the kernel keeps callers waiting until they are asked for. */
    @Nullable
    Object caller() throws IOException {
        return door.accept();
    }
}
