package dev.election.members;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A process that is registered as a member, as it describes itself.
 *
 * @param id its node id
 * @param instance a random id, another one after each start of the process
 * @param application the name of its application, empty if it has none
 * @param uri where its web server is reached, empty if it has none
 * @param managementUri where its management endpoints are reached if that is elsewhere, otherwise empty
 * @param started when it started, by its own clock
 * @param version the version of its application, empty if unknown
 * @param zone where it runs, empty if that was not set
 * @param lease its {@code election.lease}, zero if unknown
 * @param metadata further descriptions by key
 * @param capabilities its capabilities by name, with a text for each
 * @param roles its role in each election in which it has one
 * @param standing the facts that decide its place in the order of succession, empty without steering
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
        Duration lease,
        Map<String, String> metadata,
        Map<String, String> capabilities,
        Map<String, MemberRole> roles,
        Optional<Standing> standing,
        long order) {

    public Member {
        metadata = Map.copyOf(metadata);
        capabilities = Map.copyOf(capabilities);
        roles = Map.copyOf(roles);
    }

    /** Returns its role in an election; empty if it does not take part, or not at present. */
    public Optional<MemberRole> role(String election) {
        return Optional.ofNullable(roles.get(election));
    }

    /** Returns this member with another standing. */
    public Member as(Optional<Standing> newStanding) {
        return new Member(
                id,
                instance,
                application,
                uri,
                managementUri,
                started,
                version,
                zone,
                lease,
                metadata,
                capabilities,
                roles,
                newStanding,
                order);
    }

    /** The reason why its health is down; empty if it is up or not watched. */
    public Optional<Downtime> downtime() {
        return standing.flatMap(Standing::downtime);
    }

    /** The order that it leads nothing; empty if there is none. */
    public Optional<Drain> drain() {
        return standing.flatMap(Standing::drain);
    }
}
