package dev.election.zookeeper;

import java.util.Map;
import java.util.Objects;
import org.apache.zookeeper.client.ConnectStringParser;
import org.jspecify.annotations.Nullable;

/**
 * The way to an ensemble.
 *
 * @param connect hosts with their ports, and below which path the nodes are, such as {@code zk1:2181,zk2:2181,zk3:2181/shop}
 * @param user the user of digest authentication, who alone may read and change the nodes; {@code null} for none: then anyone may
 * @param password the password of that user
 * @param client properties of the client of ZooKeeper, such as those of TLS
 */
public record ZooKeeperAccess(
        String connect, @Nullable String user, @Nullable String password, Map<String, String> client) {

    /** Throws an {@link IllegalArgumentException} for hosts or a path that can't be, or a user without a password. */
    public ZooKeeperAccess {
        client = Map.copyOf(client);
        if ((user == null) != (password == null)) {
            throw new IllegalArgumentException("A user and a password belong together, but one of them is missing");
        }
        if (user != null && user.contains(":")) {
            throw new IllegalArgumentException("The name of a user of ZooKeeper has no colon");
        }
        if (hosts(connect).isBlank()) {
            throw new IllegalArgumentException("No host is named in '" + connect + "'");
        }
        try {
            var unused = new ConnectStringParser(connect);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "The connect string must be like host1:2181,host2:2181/path, but is '" + connect + "': "
                            + invalid.getMessage(),
                    invalid);
        }
    }

    /** Returns the hosts with their ports. */
    public String hosts() {
        return hosts(connect);
    }

    /** Returns the path below which all nodes are, empty for the root. */
    public String path() {
        return Objects.requireNonNullElse(new ConnectStringParser(connect).getChrootPath(), "");
    }

    private static String hosts(String connect) {
        int slash = connect.indexOf('/');
        return slash < 0 ? connect : connect.substring(0, slash);
    }

    /** Without the password, and without the properties of the client, which may hold others. */
    @Override
    public String toString() {
        return "ZooKeeperAccess[connect=" + connect + ", user=" + user + "]";
    }
}
