package dev.election.members;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A process that is there, as it describes itself.
 *
 * @param id its node id
 * @param instance another one after each start of the process
 * @param application the name of its application, empty if it has none
 * @param uri where its web server is reached, empty if it has none
 * @param managementUri where its management endpoints are reached if that is elsewhere, otherwise empty
 * @param started when it started, by its own clock
 * @param version the version of its application, empty if unknown
 * @param zone where it runs, empty if that was not set
 * @param metadata further descriptions by key
 * @param capabilities what it can do, with a text for each
 * @param roles its role in each election in which it has one
 * @param order lower for members that joined earlier, 0 for a process that has not joined yet
 */
public record Member(
        String id,
        String instance,
        String application,
        String uri,
        String managementUri,
        Instant started,
        String version,
        String zone,
        Map<String, String> metadata,
        Map<String, String> capabilities,
        Map<String, MemberRole> roles,
        long order) {

    public Member {
        metadata = Map.copyOf(metadata);
        capabilities = Map.copyOf(capabilities);
        roles = Map.copyOf(roles);
    }

    /** Its role in an election; empty if it does not take part, or not at present. */
    public Optional<MemberRole> role(String election) {
        return Optional.ofNullable(roles.get(election));
    }
}
