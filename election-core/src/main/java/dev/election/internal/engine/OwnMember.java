package dev.election.internal.engine;

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
 * This process as it describes itself.
 *
 * @param lease on which all its times are based
 * @param standing by its steering, empty without one
 * @param order as the store gave it last, 0 before that
 */
record OwnMember(
        Identity identity,
        Instant started,
        Duration lease,
        MemberSettings settings,
        Map<String, MemberRole> roles,
        Optional<Standing> standing,
        long order) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    OwnMember {
        // As the others read it.
        started = started.truncatedTo(ChronoUnit.MILLIS);
        roles = Map.copyOf(roles);
    }

    /** One without a role yet. */
    static OwnMember of(
            Identity identity, Instant started, Duration lease, MemberSettings settings, Optional<Standing> standing) {
        return new OwnMember(identity, started, lease, settings, Map.of(), standing, 0);
    }

    String instance() {
        return identity.instance();
    }

    Member member() {
        return new Member(
                identity.node().id(),
                identity.instance(),
                identity.node().application(),
                settings.uri(),
                settings.managementUri(),
                started,
                settings.version(),
                settings.zone(),
                lease,
                settings.metadata(),
                settings.capabilities(),
                roles,
                standing,
                order);
    }

    /**
     * The same with other settings.
     *
     * @throws IllegalArgumentException if all that the process says of itself is too long then
     */
    OwnMember with(MemberSettings other) {
        return new OwnMember(identity, started, lease, other, roles, standing, order).checked();
    }

    /** The same with another role in an election, {@code null} for none. */
    OwnMember in(String election, @Nullable MemberRole role) {
        Map<String, MemberRole> changed = new HashMap<>(roles);
        if (role == null) {
            changed.remove(election);
        } else {
            changed.put(election, role);
        }
        return new OwnMember(identity, started, lease, settings, changed, standing, order);
    }

    /** The same with another health. Only with steering. */
    OwnMember ofHealth(Optional<Downtime> downtime, Map<String, Instant> upDespite) {
        return new OwnMember(
                identity,
                started,
                lease,
                settings,
                roles,
                standing.map(present -> present.ofHealth(downtime, upDespite)),
                order);
    }

    OwnMember ordered(long number) {
        return new OwnMember(identity, started, lease, settings, roles, standing, number);
    }

    /**
     * The same if its text may be written.
     *
     * @throws IllegalArgumentException if the text would be too long, or have a name that could not be read
     */
    OwnMember checked() {
        requireNames("metadata", settings.metadata());
        requireNames("capabilities", settings.capabilities());
        int bytes = MemberText.bytes(MemberText.write(member()));
        if (bytes > MemberText.MOST_BYTES) {
            throw new IllegalArgumentException("What this process says of itself to other members has " + bytes
                    + " bytes, but may have " + MemberText.MOST_BYTES
                    + ": shorten election.node.metadata and election.node.capabilities, or what is set at run time");
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
