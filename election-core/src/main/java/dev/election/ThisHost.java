package dev.election;

import dev.election.support.RandomId;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The default node of a process: the name of the host with a random suffix. */
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
