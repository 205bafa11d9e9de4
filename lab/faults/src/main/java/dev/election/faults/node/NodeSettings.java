package dev.election.faults.node;

import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.support.PartitionName;
import java.time.Duration;
import java.util.List;

/**
 * Settings of a node at its start.
 *
 * @param id unique among all processes of the run
 * @param store where its election is held
 * @param lease of the election
 * @param fencePort of the Redis server that stands for a protected resource
 * @param fenceTable the JDBC URL of the database that does
 * @param wallShift how much the time of day of this node is off
 * @param elections how many it takes part in
 * @param partitioned whether they are the partitions of a group
 */
public record NodeSettings(
        String id,
        StoreAddress store,
        Duration lease,
        int fencePort,
        String fenceTable,
        Duration wallShift,
        int elections,
        boolean partitioned) {

    public static NodeSettings of(String... arguments) {
        return new NodeSettings(
                arguments[0],
                StoreAddress.parse(arguments[1]),
                Duration.parse(arguments[2]),
                Integer.parseInt(arguments[3]),
                arguments[4],
                Duration.parse(arguments[5]),
                Integer.parseInt(arguments[6]),
                Boolean.parseBoolean(arguments[7]));
    }

    /** How often a node looks for news in a database: in proportion to the defaults. */
    public static Duration pollInterval(Duration lease) {
        return lease.dividedBy(3);
    }

    /** The name of an election, from 0. */
    String election(int number) {
        if (partitioned) {
            return PartitionName.of(Node.ELECTION, number);
        }
        return number == 0 ? Node.ELECTION : Node.ELECTION + number;
    }

    public NodeInfo identity() {
        return new NodeInfo(id, "127.0.0.1");
    }

    /** Running work is not waited for long: it may hang on purpose. */
    public Timing timing() {
        return new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(1));
    }

    public List<String> arguments() {
        return List.of(
                id,
                store.toString(),
                lease.toString(),
                Integer.toString(fencePort),
                fenceTable,
                wallShift.toString(),
                Integer.toString(elections),
                Boolean.toString(partitioned));
    }
}
