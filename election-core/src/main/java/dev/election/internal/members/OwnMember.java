package dev.election.internal.members;

import dev.election.internal.election.Identity;
import dev.election.members.Downtime;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.MemberSettings;
import dev.election.members.Standing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The description of this process for other members.
 *
 * @param standing the preferences and the health, empty without steering
 * @param order the latest order of this process from the store, 0 before that
 */
public record OwnMember(
        Start start, MemberSettings settings, Map<String, MemberRole> roles, Optional<Standing> standing, long order) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    /**
     * A start of the elections of this process.
     *
     * @param lease the lease on which the times of a membership are based
     */
    record Start(Identity identity, Instant at, Duration lease) {}

    public OwnMember {
        roles = Map.copyOf(roles);
    }

    /** Creates a description without roles. */
    public static OwnMember of(
            Identity identity, Instant started, Duration lease, MemberSettings settings, Optional<Standing> standing) {
        // In milliseconds, as other members read it.
        Start start = new Start(identity, started.truncatedTo(ChronoUnit.MILLIS), lease);
        return new OwnMember(start, settings, Map.of(), standing, 0);
    }

    public Identity identity() {
        return start.identity;
    }

    /** Returns the lease on which the times of the members are based. */
    public Duration lease() {
        return start.lease;
    }

    public String instance() {
        return identity().instance();
    }

    public Member member() {
        return new Member(
                identity().node().id(),
                instance(),
                identity().node().application(),
                settings.uri(),
                settings.managementUri(),
                start.at,
                settings.version(),
                settings.zone(),
                start.lease,
                settings.metadata(),
                settings.capabilities(),
                roles,
                standing,
                order);
    }

    /**
     * Replaces the settings.
     *
     * @throws IllegalArgumentException if the description gets too long
     */
    OwnMember with(MemberSettings other) {
        return new OwnMember(start, other, roles, standing, order).checked();
    }

    /** Replaces the role in an election, {@code null} for none. */
    OwnMember in(String election, @Nullable MemberRole role) {
        Map<String, MemberRole> changed = new HashMap<>(roles);
        if (role == null) {
            changed.remove(election);
        } else {
            changed.put(election, role);
        }
        return new OwnMember(start, settings, changed, standing, order);
    }

    /** Replaces the health. Has no effect without steering. */
    OwnMember ofHealth(Optional<Downtime> downtime, Map<String, Instant> upDespite) {
        return new OwnMember(
                start, settings, roles, standing.map(present -> present.ofHealth(downtime, upDespite)), order);
    }

    OwnMember ordered(long number) {
        return new OwnMember(start, settings, roles, standing, number);
    }

    /**
     * Returns this description if it may be written.
     *
     * @throws IllegalArgumentException if its text is too long, or has a name that could not be read
     */
    OwnMember checked() {
        requireNames("metadata", settings.metadata());
        requireNames("capabilities", settings.capabilities());
        int bytes = MemberText.bytes(MemberText.write(member()));
        if (bytes > MemberText.MOST_BYTES) {
            throw new IllegalArgumentException("What this process says of itself to other members has " + bytes
                    + " bytes, but may have " + MemberText.MOST_BYTES
                    + ": shorten its metadata and its capabilities, as configured or as set at run time");
        }
        return this;
    }

    private static void requireNames(String what, Map<String, String> named) {
        for (String name : named.keySet()) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("A name in a member's " + what
                        + " must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + name + "'");
            }
        }
    }
}
