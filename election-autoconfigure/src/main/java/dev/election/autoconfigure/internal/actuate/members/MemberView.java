package dev.election.autoconfigure.internal.actuate.members;

import dev.election.members.Downtime;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Members;
import dev.election.support.PartitionName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A member, as the endpoint shows it.
 *
 * @param id its node id
 * @param application its application
 * @param leads the elections that it leads
 * @param candidateIn the elections in which it is a candidate; all partitions of a group in which it is one are {@code <group>.*}
 * @param observes the elections in which it is an observer, in the same way
 * @param started when it started, by its own clock
 * @param version the version of its application
 * @param zone where it runs
 * @param uri where its web server is reached
 * @param managementUri where its management endpoints are reached if that is elsewhere
 * @param order lower for members that joined earlier
 * @param metadata further descriptions
 * @param capabilities what it can do
 * @param down why its health is down, {@code null} and not shown if it is up or not watched
 * @param drained the order that it leads nothing, {@code null} and not shown if there is none
 */
public record MemberView(
        String id,
        String application,
        List<String> leads,
        List<String> candidateIn,
        List<String> observes,
        Instant started,
        String version,
        String zone,
        String uri,
        String managementUri,
        long order,
        Map<String, String> metadata,
        Map<String, String> capabilities,
        @Nullable Downtime down,
        @Nullable DrainView drained)
        implements OperationResponseBody {

    public static MemberView of(Member member) {
        return new MemberView(
                member.id(),
                member.application(),
                withRole(member, MemberRole.LEADER),
                groupsIn(member, withRole(member, MemberRole.CANDIDATE)),
                groupsIn(member, withRole(member, MemberRole.OBSERVER)),
                member.started(),
                member.version(),
                member.zone(),
                member.uri(),
                member.managementUri(),
                member.order(),
                new TreeMap<>(member.metadata()),
                new TreeMap<>(member.capabilities()),
                member.downtime().orElse(null),
                member.drain().map(DrainView::of).orElse(null));
    }

    public static List<MemberView> all(Members members) {
        return members.all().stream().map(MemberView::of).toList();
    }

    private static List<String> withRole(Member member, MemberRole role) {
        return member.roles().entrySet().stream()
                .filter(entry -> entry.getValue() == role)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static List<String> groupsIn(Member member, List<String> elections) {
        return elections.stream()
                .map(name -> {
                    String group = PartitionName.groupOf(name);
                    return member.capabilities().containsKey(PartitionName.CAPABILITY + group)
                            ? PartitionName.ofAll(group)
                            : name;
                })
                .distinct()
                .toList();
    }
}
