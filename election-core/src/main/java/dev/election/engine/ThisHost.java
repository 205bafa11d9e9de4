package dev.election.engine;

import dev.election.NodeInfo;
import dev.election.text.RandomId;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** What a process is called unless somebody names it. */
public final class ThisHost {

    private ThisHost() {}

    /** The host's name with a short random suffix, another one at each call, so that two processes on one host differ. */
    public static NodeInfo node() {
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
