package dev.election.faults.world;

import dev.election.faults.node.Node;
import dev.election.faults.node.StoreAddress;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three primaries with a replica each. */
public final class Cluster implements Topology {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration LONGEST_FAILOVER = Duration.ofSeconds(45);
    private static final int PRIMARIES = 3;

    /** All keys of the election live here. */
    private static final int SLOT = SlotHash.getSlot(Node.KEY_PREFIX + ":{" + Node.ELECTION + "}:lease");

    private final List<RedisServer> members = new ArrayList<>();

    public Cluster(Children children, Path folder) throws IOException, InterruptedException {
        List<Integer> busPorts = new ArrayList<>();
        for (int i = 0; i < 2 * PRIMARIES; i++) {
            busPorts.add(Ports.free());
            members.add(new RedisServer(children, folder, options(busPorts.get(i))));
        }
        for (int i = 0; i < PRIMARIES; i++) {
            int first = SlotHash.SLOT_COUNT * i / PRIMARIES;
            int last = SlotHash.SLOT_COUNT * (i + 1) / PRIMARIES - 1;
            members.get(i).ask("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
        }
        // An introduction that takes longer than the node timeout is forgotten.
        do {
            introduce(busPorts);
        } while (!Wait.holdsWithin(Duration.ofSeconds(3), () -> everybody(Cluster::knowsAll)));
        for (int i = 0; i < PRIMARIES; i++) {
            members.get(PRIMARIES + i).ask("CLUSTER", "REPLICATE", id(members.get(i)));
        }
        awaitHealth();
    }

    private void introduce(List<Integer> busPorts) throws IOException {
        for (int i = 1; i < members.size(); i++) {
            members.get(0)
                    .ask("CLUSTER", "MEET", "127.0.0.1", Integer.toString(port(i)), Integer.toString(busPorts.get(i)));
        }
    }

    private static boolean knowsAll(RedisServer member) throws IOException {
        List<String> lines = member.text("CLUSTER", "NODES").lines().toList();
        return lines.size() == 2 * PRIMARIES
                && lines.stream().allMatch(line -> line.contains(" connected") && !line.contains("handshake"));
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(
                StoreAddress.Kind.CLUSTER,
                members.stream().map(RedisServer::port).toList());
    }

    /** The owner of the election's slot, by the word of the first who knows of one that answers as such. */
    @Override
    public RedisServer primary() throws IOException {
        for (RedisServer member : members) {
            if (isOwner(member)) {
                return member;
            }
        }
        throw new IOException("Nobody owns the slot");
    }

    /** A replica that follows that primary. */
    public RedisServer replicaOf(RedisServer primary) throws IOException {
        String id = id(primary);
        for (RedisServer member : members) {
            if (member != primary && line(member, "myself").contains("slave " + id)) {
                return member;
            }
        }
        throw new IOException("The owner has no replica");
    }

    /** A primary that does not own the election's slot. */
    public RedisServer anotherPrimary() throws IOException {
        for (RedisServer member : members) {
            if (line(member, "myself").contains("master") && !isOwner(member)) {
                return member;
            }
        }
        throw new IOException("There is no other primary");
    }

    /** Waits until the server owns the slot, but not for ever: nobody promises that its replica is promoted. */
    public boolean agreesOn(RedisServer server) throws InterruptedException {
        return Wait.holdsWithin(LONGEST_FAILOVER, () -> isOwner(server));
    }

    /** Moves the slot with its keys, as an operator's tool does it. */
    public void moveSlot(RedisServer from, RedisServer to) throws IOException {
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
    public void awaitHealth() throws InterruptedException {
        Wait.until(
                "a cluster of which every member is well",
                PATIENCE,
                () -> everybody(member -> member.text("CLUSTER", "INFO").contains("cluster_state:ok")
                                && !member.text("CLUSTER", "NODES").contains("fail")
                                && isInRole(member))
                        && replicaOf(primary()) != null);
    }

    private static boolean isInRole(RedisServer member) throws IOException {
        String role = member.text("INFO", "replication");
        return role.contains("role:master") || role.contains("master_link_status:up");
    }

    private static List<?> keys(RedisServer server) throws IOException {
        return (List<?>) server.ask("CLUSTER", "GETKEYSINSLOT", Integer.toString(SLOT), "100");
    }

    private static boolean isOwner(RedisServer member) {
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

    private boolean everybody(MemberCondition condition) throws IOException {
        for (RedisServer member : members) {
            if (!condition.holdsFor(member)) {
                return false;
            }
        }
        return true;
    }

    private static String id(RedisServer member) throws IOException {
        return member.text("CLUSTER", "MYID");
    }

    private static String line(RedisServer member, String mark) throws IOException {
        return member.text("CLUSTER", "NODES")
                .lines()
                .filter(line -> line.contains(mark))
                .findFirst()
                .orElse("");
    }

    private int port(int member) {
        return members.get(member).port();
    }

    private static List<String> options(int busPort) {
        List<String> options = new ArrayList<>(List.of("--save", "", "--repl-diskless-sync-delay", "0"));
        options.addAll(List.of("--cluster-enabled", "yes", "--cluster-port", Integer.toString(busPort)));
        options.addAll(List.of("--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0"));
        options.addAll(List.of("--cluster-allow-replica-migration", "no"));
        return options;
    }

    private interface MemberCondition {
        boolean holdsFor(RedisServer member) throws IOException;
    }
}
