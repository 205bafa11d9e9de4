package dev.election.faults.world;

import dev.election.faults.node.NodeSettings;
import dev.election.harness.Wait;
import java.nio.file.Path;
import java.time.Duration;

/** A place in a group, and the process that has it now. */
public final class Member {

    private final Group group;
    private final int place;
    private final Path log;
    private int lives;
    private Duration wallShift = Duration.ZERO;
    private NodeProcess process;

    Member(Group group, int place, Path folder) {
        this.group = group;
        this.place = place;
        this.log = folder.resolve("node-" + place + ".log");
        this.process = launch();
    }

    public int place() {
        return place;
    }

    public NodeProcess process() {
        return process;
    }

    /** Starts another process after the last one has ended. */
    public void restart() {
        process = launch();
    }

    /** Waits until the present process takes part. */
    public void awaitJoined() {
        Wait.until(process.id() + " to take part", Duration.ofMinutes(5), process::isJoined);
    }

    /** How much the time of day of its next processes is off. */
    public void shiftWall(Duration shift) {
        wallShift = shift;
    }

    private NodeProcess launch() {
        lives++;
        NodeSettings settings = new NodeSettings(
                group.name() + "-" + place + "." + lives,
                group.topology().addressFor(place),
                group.lease(),
                group.fences().port(),
                group.fences().table(),
                wallShift,
                group.elections());
        return new NodeProcess(
                group.nodeClass(), group.classPath(place), settings, group.children(), group.history(), log);
    }
}
