package dev.election.faults.node;

import dev.election.Election;
import dev.election.members.Members;
import java.util.Optional;

/** Lets a process take part in elections. */
public interface Participant {

    Election election(String name);

    /** The members as this process sees them; empty if it is none. */
    default Optional<Members> members() {
        return Optional.empty();
    }

    void start();

    /** Leaves in an orderly way, as on SIGTERM. */
    void leave();
}
