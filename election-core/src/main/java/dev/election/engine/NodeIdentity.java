package dev.election.engine;

import dev.election.Leader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Who a process is.
 *
 * @param id unique among the processes of an election; shown everywhere
 * @param address where it can be reached, shown beside the id
 * @param application the name of its application, empty if it has none
 */
public record NodeIdentity(String id, String address, String application) {

    private static final int LONGEST_APPLICATION = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    public NodeIdentity {
        if (!Leader.isNodeId(id)) {
            throw new IllegalArgumentException(
                    "The node id must be 1 to 128 of A-Z a-z 0-9 . _ : - but is '" + id + "'");
        }
        application = applicationName(application);
    }

    /** One of an application without a name. */
    public NodeIdentity(String id, String address) {
        this(id, address, "");
    }

    NodeIdentity ofApplication(String name) {
        return new NodeIdentity(id, address, name);
    }

    /** The name of an application as it is shown: without line breaks, and not endless. */
    static String applicationName(String text) {
        String oneLine = text.replaceAll("\\p{Cntrl}", " ").strip();
        return oneLine.length() > LONGEST_APPLICATION ? oneLine.substring(0, LONGEST_APPLICATION) : oneLine;
    }

    /** The host's name with a short random suffix, so that two processes on one host differ. */
    public static NodeIdentity ofThisHost() {
        String host = hostName();
        return new NodeIdentity(host + "-" + random(4), host);
    }

    static String random(int bytes) {
        byte[] drawn = new byte[bytes];
        RANDOM.nextBytes(drawn);
        return HexFormat.of().formatHex(drawn);
    }

    private static String hostName() {
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
