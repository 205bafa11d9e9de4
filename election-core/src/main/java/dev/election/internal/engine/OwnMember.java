package dev.election.internal.engine;

import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.MemberSettings;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * This process as it describes itself.
 *
 * @param order as the store gave it last, 0 before that
 */
record OwnMember(
        Identity identity, Instant started, MemberSettings settings, Map<String, MemberRole> roles, long order) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    OwnMember {
        roles = Map.copyOf(roles);
    }

    /** One without a role yet. */
    static OwnMember of(Identity identity, Instant started, MemberSettings settings) {
        return new OwnMember(identity, started, settings, Map.of(), 0);
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
                settings.metadata(),
                settings.capabilities(),
                roles,
                order);
    }

    /**
     * The same with other settings.
     *
     * @throws IllegalArgumentException if all that the process says of itself is too long then
     */
    OwnMember with(MemberSettings other) {
        return new OwnMember(identity, started, other, roles, order).checked();
    }

    /** The same with another role in an election, {@code null} for none. */
    OwnMember in(String election, @Nullable MemberRole role) {
        Map<String, MemberRole> changed = new HashMap<>(roles);
        if (role == null) {
            changed.remove(election);
        } else {
            changed.put(election, role);
        }
        return new OwnMember(identity, started, settings, changed, order);
    }

    OwnMember ordered(long number) {
        return new OwnMember(identity, started, settings, roles, number);
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
