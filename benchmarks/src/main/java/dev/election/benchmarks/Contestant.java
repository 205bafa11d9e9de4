package dev.election.benchmarks;

/** What the node processes of a lab run. */
enum Contestant {
    /** The elections of this project. */
    ELECTION(Node.class),
    /** A lock of Spring Integration. */
    LOCK_REGISTRY(LockNode.class);

    private final Class<?> program;

    Contestant(Class<?> program) {
        this.program = program;
    }

    String mainClass() {
        return program.getName();
    }
}
