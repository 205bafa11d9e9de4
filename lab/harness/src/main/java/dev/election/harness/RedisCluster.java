package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A Cluster of three primaries with a replica each. */
public final class RedisCluster implements AutoCloseable {

    /** Password of the members, if they require one. */
    public static final String PASSWORD = "of the cluster";

    private static final int PRIMARIES = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** First the primaries, then a replica of each. */
    private final List<RedisProcess> members = new ArrayList<>();

    private RedisCluster(Supplier<RedisSettings> settings) throws IOException {
        List<Integer> busPorts = new ArrayList<>();
        for (int i = 0; i < 2 * PRIMARIES; i++) {
            busPorts.add(Ports.free());
            members.add(member(settings.get(), busPorts.get(i)));
        }
        for (int i = 0; i < PRIMARIES; i++) {
            String first = Integer.toString(firstSlot(i));
            String last = Integer.toString(firstSlot(i + 1) - 1);
            members.get(i).ask("CLUSTER", "ADDSLOTSRANGE", first, last);
        }
        // An introduction that takes longer than the node timeout is forgotten.
        do {
            introduce(busPorts);
        } while (!Wait.holdsWithin(Duration.ofSeconds(3), () -> everybody(RedisCluster::knowsAll)));
        for (int i = 0; i < PRIMARIES; i++) {
            String primary = members.get(i).text("CLUSTER", "MYID");
            members.get(PRIMARIES + i).ask("CLUSTER", "REPLICATE", primary);
        }
        awaitHealth();
    }

    /** Starts one of which all members want a {@link #PASSWORD}, and waits until every member finds it well. */
    public static RedisCluster start() {
        return start(
                () -> RedisSettings.of(RedisBinary.REDIS_7_0, "--requirepass", PASSWORD, "--masterauth", PASSWORD));
    }

    /** Starts a cluster with these settings for each member. */
    public static RedisCluster start(Supplier<RedisSettings> member) {
        try {
            return new RedisCluster(member);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<RedisProcess> members() {
        return List.copyOf(members);
    }

    /** The member that owned the slot of that key at first. */
    public RedisProcess owner(String key) {
        return members.get(ownerIndex(key));
    }

    /** The replica of the member that owned the slot of that key at first. */
    public RedisProcess replica(String key) {
        return members.get(PRIMARIES + ownerIndex(key));
    }

    /** Waits until the replica of the first owner of that key's slot has taken its place. */
    public void awaitPromotion(String key) {
        RedisProcess replica = replica(key);
        Wait.until("the promotion", PATIENCE, () -> replica.text("INFO", "replication")
                .contains("role:master"));
    }

    /** Waits until every member finds all of it well. */
    public void awaitHealth() {
        Wait.until("a Cluster that each member finds well", PATIENCE, () -> everybody(RedisCluster::isWell));
    }

    @Override
    public void close() {
        members.forEach(RedisProcess::close);
    }

    private void introduce(List<Integer> busPorts) throws IOException {
        for (int i = 1; i < members.size(); i++) {
            String port = Integer.toString(members.get(i).port());
            String busPort = Integer.toString(busPorts.get(i));
            members.get(0).ask("CLUSTER", "MEET", "127.0.0.1", port, busPort);
        }
    }

    private static boolean knowsAll(RedisProcess member) throws IOException {
        List<String> nodes = nodes(member);
        return nodes.size() == 2 * PRIMARIES
                && nodes.stream().allMatch(node -> node.contains(" connected") && !node.contains("handshake"));
    }

    private static boolean isWell(RedisProcess member) throws IOException {
        List<String> nodes = nodes(member);
        String role = member.text("INFO", "replication");
        return member.text("CLUSTER", "INFO").contains("cluster_state:ok")
                && nodes.stream().noneMatch(node -> node.contains("fail"))
                && nodes.stream().filter(node -> node.contains("slave")).count() == PRIMARIES
                && (role.contains("role:master") || role.contains("master_link_status:up"));
    }

    private static List<String> nodes(RedisProcess member) throws IOException {
        return member.text("CLUSTER", "NODES").lines().toList();
    }

    private boolean everybody(MemberCondition condition) throws IOException {
        for (RedisProcess member : members) {
            if (!condition.holdsFor(member)) {
                return false;
            }
        }
        return true;
    }

    private static int ownerIndex(String key) {
        int slot = KeySlot.of(key);
        int owner = 0;
        while (firstSlot(owner + 1) <= slot) {
            owner++;
        }
        return owner;
    }

    private static int firstSlot(int primary) {
        return KeySlot.COUNT * primary / PRIMARIES;
    }

    private static RedisProcess member(RedisSettings settings, int busPort) {
        return new RedisProcess(settings.with("--cluster-enabled", "yes", "--cluster-port", Integer.toString(busPort))
                .with("--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0")
                .with("--cluster-allow-replica-migration", "no", "--repl-diskless-sync-delay", "0"));
    }

    private interface MemberCondition {
        boolean holdsFor(RedisProcess member) throws IOException;
    }
}
