package dev.election.testing;

import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A member that says nothing but what it is in its elections and how it stands there. */
public final class PlainMember {

    private PlainMember() {}

    /**
     * Creates one.
     *
     * @param order of joining
     */
    public static Member of(
            String id, String instance, Map<String, MemberRole> roles, Optional<Standing> standing, long order) {
        return new Member(
                id,
                instance,
                "",
                "",
                "",
                Instant.EPOCH,
                "",
                "",
                Duration.ZERO,
                Map.of(),
                Map.of(),
                roles,
                standing,
                order);
    }
}
