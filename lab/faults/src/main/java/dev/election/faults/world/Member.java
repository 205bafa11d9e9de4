package dev.election.faults.world;

import dev.election.faults.node.NodeSettings;
import dev.election.harness.Wait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/** A place in a group, and the process that has it now. */
public final class Member {

    /** One group at a time starts processes: each takes a whole processor for seconds, and three of them the machine. */
    private static final Semaphore STARTS = new Semaphore(1, true);

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

    /** Starts another process in each of these places after the last ones have ended, and waits until all take part. */
    public static void restart(List<Member> members) throws InterruptedException {
        STARTS.acquire();
        try {
            members.forEach(Member::restart);
            members.forEach(Member::awaitJoined);
        } finally {
            STARTS.release();
        }
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
                group.size().elections(),
                group.size().partitioned());
        return new NodeProcess(
                group.nodeClass(), group.classPath(place), settings, group.children(), group.history(), log);
    }
}
