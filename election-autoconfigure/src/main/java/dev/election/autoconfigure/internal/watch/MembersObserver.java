package dev.election.autoconfigure.internal.watch;

import dev.election.members.Members;

/** Is told of the members where an application uses them, before the first is known. */
@FunctionalInterface
public interface MembersObserver {

    /** Called once. */
    void observe(Members members);
}
