package dev.election.faults.world;

import dev.election.faults.node.Node;
import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import dev.election.harness.KeySlot;
import dev.election.harness.RedisCluster;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Three primaries with a replica each. */
public final class Cluster implements Topology {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration LONGEST_FAILOVER = Duration.ofSeconds(45);

    /** All keys of the election live here. */
    private static final int SLOT = KeySlot.of(Node.KEY_PREFIX + ":{" + Node.ELECTION + "}:lease");

    private final RedisCluster redis;

    public Cluster(Children children, Path folder) {
        this.redis = RedisCluster.start(() -> RedisSettings.in(folder, children, List.of()));
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(
                StoreAddress.Kind.CLUSTER,
                redis.members().stream().map(RedisProcess::port).toList());
    }

    /** The owner of the election's slot, by the word of the first who knows of one that answers as such. */
    public RedisProcess primary() throws IOException {
        for (RedisProcess member : redis.members()) {
            if (isOwner(member)) {
                return member;
            }
        }
        throw new IOException("Nobody owns the slot");
    }

    /** A replica that follows that primary. */
    public RedisProcess replicaOf(RedisProcess primary) throws IOException {
        String id = id(primary);
        for (RedisProcess member : redis.members()) {
            if (member != primary && line(member, "myself").contains("slave " + id)) {
                return member;
            }
        }
        throw new IOException("The owner has no replica");
    }

    /** A primary that does not own the election's slot. */
    public RedisProcess anotherPrimary() throws IOException {
        for (RedisProcess member : redis.members()) {
            if (line(member, "myself").contains("master") && !isOwner(member)) {
                return member;
            }
        }
        throw new IOException("There is no other primary");
    }

    /** Waits until the server owns the slot, but not for ever: nobody promises that its replica is promoted. */
    public boolean agreesOn(RedisProcess server) {
        return Wait.holdsWithin(LONGEST_FAILOVER, () -> isOwner(server));
    }

    /** Moves the slot with its keys, as an operator's tool does it. */
    public void moveSlot(RedisProcess from, RedisProcess to) throws IOException {
        String slot = Integer.toString(SLOT);
        to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
        from.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
        for (List<?> keys = keys(from); !keys.isEmpty(); keys = keys(from)) {
            for (Object key : keys) {
                from.ask("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key.toString(), "0", "1000");
            }
        }
        to.ask("CLUSTER", "SETSLOT", slot, "NODE", id(to));
        from.ask("CLUSTER", "SETSLOT", slot, "NODE", id(to));
    }

    @Override
    public void awaitHealth() {
        redis.awaitHealth();
        Wait.until("a replica of the owner of the slot", PATIENCE, () -> replicaOf(primary()) != null);
    }

    private static List<?> keys(RedisProcess server) throws IOException {
        return (List<?>) server.ask("CLUSTER", "GETKEYSINSLOT", Integer.toString(SLOT), "100");
    }

    private static boolean isOwner(RedisProcess member) {
        try {
            String[] words = line(member, "myself").split(" ", -1);
            if (!words[2].contains("master")) {
                return false;
            }
            for (int i = 8; i < words.length; i++) {
                String[] range = words[i].split("-", 2);
                if (!words[i].startsWith("[")
                        && Integer.parseInt(range[0]) <= SLOT
                        && SLOT <= Integer.parseInt(range[range.length - 1])) {
                    return true;
                }
            }
            return false;
        } catch (IOException unknown) {
            return false;
        }
    }

    private static String id(RedisProcess member) throws IOException {
        return member.text("CLUSTER", "MYID");
    }

    private static String line(RedisProcess member, String mark) throws IOException {
        return member.text("CLUSTER", "NODES")
                .lines()
                .filter(line -> line.contains(mark))
                .findFirst()
                .orElse("");
    }
}
