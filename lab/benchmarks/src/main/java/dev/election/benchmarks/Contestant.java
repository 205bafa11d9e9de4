package dev.election.benchmarks;

import java.util.List;

/** What the node processes of a lab run. */
enum Contestant {
    /** The elections of this project. */
    ELECTION(Node.class, ""),
    /** A lock of Spring Integration. */
    LOCK_REGISTRY(LockNode.class, ""),
    /** An application with a job that the leader runs, and each missed slot late. */
    LEADER_JOB(LeaderJobNode.class, ""),
    /** The same without the latter. */
    PLAIN_JOB(PlainJobNode.class, ""),
    /** An application with a job under a lock of ShedLock. */
    LOCK_JOB(LockJobNode.class, ""),
    /** An application with many elections and a Quartz scheduler, and without jobs. */
    APPLICATION(ApplicationNode.class, ""),
    /** An application with one election and without jobs. */
    STEERED_NOT(SteeredNode.class, SteeredNode.OPTIONS),
    /** The same with members. */
    STEERED_MEMBERS(SteeredNode.class, SteeredNode.OPTIONS + " -Delection.members.enabled=true"),
    /** The same with a priority, and hand-overs to who has a higher one. */
    STEERED_PREEMPTING(SteeredNode.class, SteeredNode.OPTIONS + " -Delection.priority=1 -Delection.preempt=true"),
    /** The same, where others lead while its health is down. */
    STEERED_BY_HEALTH(SteeredNode.class, SteeredNode.OPTIONS + " -Delection.abdicate-when-down=diskSpace"),
    /** The same, which can be drained. */
    STEERED_DRAINABLE(SteeredNode.class, SteeredNode.OPTIONS + " -Delection.drainable=true"),
    /** An application with web, Actuator and Redis, and a job that runs on every node. */
    PLAIN_START(PlainStartNode.class, ClassPath.APPLICATION),
    /** The same with this project and a job that the leader runs. */
    LEADER_START(LeaderStartNode.class, ClassPath.STARTER),
    /** The same with a job under a lock of ShedLock. */
    LOCK_START(LockStartNode.class, ClassPath.SHEDLOCK),
    /** The same with a leader initiator of Spring Integration. */
    INITIATOR_START(InitiatorStartNode.class, ClassPath.INTEGRATION),
    /** Nodes of several libraries over a database. */
    DATABASE(DatabaseNode.class, "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m"),
    /** Many nodes to a process, of any library: as many processes as fit are wanted, and none of them has much to compute. */
    CROWD(CrowdNode.class, "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss512k");

    private final Class<?> program;
    private final String options;
    private final ClassPath classPath;

    Contestant(Class<?> program, String options) {
        this(program, options, ClassPath.ALL);
    }

    Contestant(Class<?> program, ClassPath classPath) {
        this(program, "", classPath);
    }

    Contestant(Class<?> program, String options, ClassPath classPath) {
        this.program = program;
        this.options = options;
        this.classPath = classPath;
    }

    ClassPath classPath() {
        return classPath;
    }

    String mainClass() {
        return program.getName();
    }

    /** What the virtual machine of a node gets beside what all of them get. */
    List<String> options() {
        return options.isEmpty() ? List.of() : List.of(options.split(" ", -1));
    }
}
