package dev.election;

import dev.election.support.RandomId;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of a process to which nobody gives one. */
final class ThisHost {

    private ThisHost() {}

    static NodeInfo node() {
        String host = name();
        return new NodeInfo(host + "-" + RandomId.ofBytes(4), host);
    }

    private static String name() {
        String name;
        try {
            name = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            name = "localhost";
        }
        String allowed = name.replaceAll("[^A-Za-z0-9._:-]", "-");
        return allowed.length() > 100 ? allowed.substring(0, 100) : allowed;
    }
}
