package dev.election.zookeeper.autoconfigure;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the lease store in ZooKeeper.
 *
 * @param connect the servers of the ensemble, and a path below which all nodes are, as in host1:2181,host2:2181,host3:2181/path
 * @param prefix the node below which all others are; applications with one ensemble that must not share an election need different ones
 * @param username the user of digest authentication, who alone has access to the nodes; everybody unless set
 * @param password the password of that user
 * @param client properties of the client of ZooKeeper, such as those of TLS (zookeeper.client.secure)
 */
@ConfigurationProperties("election.zookeeper")
public record ElectionZooKeeperProperties(
        @DefaultValue("localhost:2181") String connect,
        @DefaultValue("election") String prefix,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue Map<String, String> client) {

    /** Without the password, and without the properties of the client, which may hold others. */
    @Override
    public String toString() {
        return "ElectionZooKeeperProperties[connect=" + connect + ", prefix=" + prefix + ", username=" + username + "]";
    }
}
