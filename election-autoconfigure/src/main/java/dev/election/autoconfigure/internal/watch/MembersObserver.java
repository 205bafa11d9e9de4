package dev.election.autoconfigure.internal.watch;

import dev.election.members.Members;

/** Receives the {@link Members} of an application that uses them, before any member is known. */
@FunctionalInterface
public interface MembersObserver {

    /** Called once. */
    void observe(Members members);
}
