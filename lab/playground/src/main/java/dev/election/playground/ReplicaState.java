package dev.election.playground;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A replica, as the page shows it.
 *
 * @param address empty if it does not answer
 * @param says its answer of {@code /actuator/leader}, if it answers
 * @param noPause why it can't be paused on this machine, if it can't
 */
record ReplicaState(
        String name,
        long pid,
        String address,
        Member.State state,
        boolean isCutOff,
        @Nullable JsonNode says,
        @Nullable String noPause) {

    static ReplicaState of(Member member, @Nullable JsonNode says) {
        return new ReplicaState(
                member.name(),
                member.pid(),
                member.address().orElse(""),
                member.state(),
                member.isCutOff(),
                says,
                Pause.isPossible() ? null : "Windows can't pause a process by a signal");
    }
}
