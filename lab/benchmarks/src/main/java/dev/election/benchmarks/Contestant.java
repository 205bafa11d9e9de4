package dev.election.benchmarks;

import java.util.List;

/** The programs of node processes. */
enum Contestant {
    /** The elections of this project. */
    ELECTION(Node.class, ""),
    /** A lock of Spring Integration. */
    LOCK_REGISTRY(LockNode.class, ""),
    /** An application with a job that the leader runs, and each missed slot late. */
    LEADER_JOB(LeaderJobNode.class, ""),
    /** An application with a job that the leader runs, and without the missed slots. */
    PLAIN_JOB(PlainJobNode.class, ""),
    /** An application with a job under a lock of ShedLock. */
    LOCK_JOB(LockJobNode.class, ""),
    /** An application with many elections and a Quartz scheduler, and without jobs. */
    APPLICATION(ApplicationNode.class, ""),
    /** An application with one election and without jobs. */
    STEERED_NOT(SteeredNode.class, SteeredNode.OPTIONS),
    /** An application with one election and members. */
    STEERED_MEMBERS(SteeredNode.class, SteeredNode.OPTIONS + " -Delection.members.enabled=true"),
    /** An application with one election, a priority, and hand-overs to nodes of a higher one. */
    STEERED_PREEMPTING(SteeredNode.class, SteeredNode.OPTIONS + " -Delection.priority=1 -Delection.preempt=true"),
    /** An application with one election, which gives it up while its health is down. */
    STEERED_BY_HEALTH(SteeredNode.class, SteeredNode.OPTIONS + " -Delection.abdicate-when-down=diskSpace"),
    /** An application with one election, which can be drained. */
    STEERED_DRAINABLE(SteeredNode.class, SteeredNode.OPTIONS + " -Delection.drainable=true"),
    /** An application with web, Actuator and Redis, and a job that runs on every node. */
    PLAIN_START(PlainStartNode.class, ClassPath.APPLICATION),
    /** A web application as {@link #PLAIN_START}, with this project and a job that the leader runs. */
    LEADER_START(LeaderStartNode.class, ClassPath.STARTER),
    /** A web application as {@link #PLAIN_START}, with a job under a lock of ShedLock. */
    LOCK_START(LockStartNode.class, ClassPath.SHEDLOCK),
    /** A web application as {@link #PLAIN_START}, with a leader initiator of Spring Integration. */
    INITIATOR_START(InitiatorStartNode.class, ClassPath.INTEGRATION),
    /** Nodes of several libraries over a database. */
    DATABASE(DatabaseNode.class, "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m"),
    /** Nodes of several libraries over an API server or etcd. */
    STORE(StoreNode.class, "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m"),
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

    /** Options of the virtual machine of a node beside those of all nodes. */
    List<String> options() {
        return options.isEmpty() ? List.of() : List.of(options.split(" ", -1));
    }
}
