package dev.election.internal.members;

import dev.election.Election;
import dev.election.Leader;
import dev.election.NodeInfo;
import dev.election.members.Downtime;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Standing;
import dev.election.store.MemberEntry;
import dev.election.support.OneLine;
import dev.election.support.PartitionName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Format of the entry of a member in the store: a line {@code name=value} for each part. A reader skips parts that it does not know, and entries
 * without a valid node id.
 */
public final class MemberText {

    /** Most bytes that this version writes. */
    static final int MOST_BYTES = 4096;

    /** Most characters that are read: a later version may write more than this one. */
    private static final int MOST_READ = 4 * MOST_BYTES;

    private static final String METADATA = "meta.";
    private static final String CAPABILITY = "cap.";
    private static final String ROLE = "role.";
    private static final String GROUP = "roles.";
    private static final String PRIORITY = "priority.";
    private static final String BALANCE = "balance";
    private static final String UP_DESPITE = "up-despite.";

    private MemberText() {}

    /** Writes all parts of a member but its roles. */
    static String write(Member member) {
        StringBuilder text = new StringBuilder();
        line(text, "id", member.id());
        line(text, "application", member.application());
        line(text, "uri", member.uri());
        line(text, "management", member.managementUri());
        line(text, "started", Long.toString(member.started().toEpochMilli()));
        line(text, "version", member.version());
        line(text, "zone", member.zone());
        line(text, "lease", Long.toString(member.lease().toMillis()));
        member.standing().ifPresent(standing -> {
            line(text, "priority", Integer.toString(standing.priority()));
            standing.priorities().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(own -> text.append(
                            part(PRIORITY + own.getKey(), own.getValue().toString())));
            line(text, BALANCE, standing.balance() ? "true" : "");
            standing.balances().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(own -> text.append(
                            part(BALANCE + "." + own.getKey(), own.getValue().toString())));
            standing.downtime().ifPresent(downtime -> {
                line(text, "down", downtime.reason());
                line(text, "down-since", Long.toString(downtime.since().toEpochMilli()));
            });
            standing.upDespite().entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(leader -> text.append(part(
                            UP_DESPITE + leader.getKey(),
                            Long.toString(leader.getValue().toEpochMilli()))));
        });
        member.capabilities().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(capability -> text.append(part(CAPABILITY + capability.getKey(), capability.getValue())));
        member.metadata().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(description -> text.append(part(METADATA + description.getKey(), description.getValue())));
        return text.toString();
    }

    /** Writes all parts of a member, with as many of its roles as fit, those as leader first. */
    public static String writeWithRoles(Member member) {
        StringBuilder text = new StringBuilder(write(member));
        int left = MOST_BYTES - bytes(text.toString());
        for (String role : (Iterable<String>) roles(member)::iterator) {
            // The names of elections are ASCII.
            left -= role.length();
            if (left < 0) {
                break;
            }
            text.append(role);
        }
        return text.toString();
    }

    private static Stream<String> roles(Member member) {
        Map<String, MemberRole> single = new HashMap<>(member.roles());
        List<String> together = member.capabilities().keySet().stream()
                .filter(name -> name.startsWith(PartitionName.CAPABILITY))
                .map(name -> name.substring(PartitionName.CAPABILITY.length()))
                .sorted()
                .map(group -> part(GROUP + group, GroupRoles.take(group, single)))
                .toList();
        return Stream.concat(together.stream(), singly(single));
    }

    private static Stream<String> singly(Map<String, MemberRole> roles) {
        return roles.entrySet().stream()
                .sorted(Map.Entry.<String, MemberRole>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(role -> part(ROLE + role.getKey(), role.getValue().name()));
    }

    private static void line(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(part(name, value));
        }
    }

    private static String part(String name, String value) {
        return name + "=" + OneLine.escaped(value) + "\n";
    }

    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Reads a member; empty if the entry is none. */
    static Optional<Member> read(MemberEntry.Present entry) {
        if (entry.text().length() > MOST_READ) {
            return Optional.empty();
        }
        Map<String, String> parts = new HashMap<>();
        Map<String, String> metadata = new HashMap<>();
        Map<String, String> capabilities = new HashMap<>();
        Map<String, MemberRole> roles = new HashMap<>();
        Map<String, Integer> priorities = new HashMap<>();
        Map<String, Boolean> balances = new HashMap<>();
        Map<String, Instant> upDespite = new HashMap<>();
        OneLine.parts(entry.text(), (name, said) -> {
            // A text of others must not break a line of a log or of a console.
            String value = OneLine.shown(said, MOST_READ);
            if (name.startsWith(METADATA)) {
                metadata.put(name.substring(METADATA.length()), value);
            } else if (name.startsWith(CAPABILITY)) {
                capabilities.put(name.substring(CAPABILITY.length()), value);
            } else if (name.startsWith(ROLE)) {
                role(name.substring(ROLE.length()), value, roles);
            } else if (name.startsWith(GROUP)) {
                GroupRoles.read(name.substring(GROUP.length()), value, roles);
            } else if (name.startsWith(PRIORITY)) {
                priority(value).ifPresent(priority -> priorities.put(name.substring(PRIORITY.length()), priority));
            } else if (name.startsWith(BALANCE + ".")) {
                balances.put(name.substring(BALANCE.length() + 1), Boolean.valueOf(value));
            } else if (name.startsWith(UP_DESPITE)) {
                upDespite.put(name.substring(UP_DESPITE.length()), Instant.ofEpochMilli(number(value)));
            } else {
                parts.put(name, value);
            }
        });
        return Leader.isNodeId(part(parts, "id"))
                ? Optional.of(new Member(
                        part(parts, "id"),
                        entry.instance(),
                        NodeInfo.applicationName(part(parts, "application")),
                        part(parts, "uri"),
                        part(parts, "management"),
                        Instant.ofEpochMilli(number(part(parts, "started"))),
                        part(parts, "version"),
                        part(parts, "zone"),
                        Duration.ofMillis(number(part(parts, "lease"))),
                        metadata,
                        capabilities,
                        roles,
                        priority(part(parts, "priority")).map(priority -> new Standing(priority, priorities)
                                .balanced(Boolean.parseBoolean(part(parts, BALANCE)), balances)
                                .ofHealth(downtime(parts), upDespite)),
                        entry.joined()))
                : Optional.empty();
    }

    private static Optional<Downtime> downtime(Map<String, String> parts) {
        return parts.containsKey("down")
                ? Optional.of(
                        new Downtime(part(parts, "down"), Instant.ofEpochMilli(number(part(parts, "down-since")))))
                : Optional.empty();
    }

    private static void role(String election, String name, Map<String, MemberRole> roles) {
        for (MemberRole role : MemberRole.values()) {
            if (role.name().equals(name) && Election.isName(election)) {
                roles.put(election, role);
            }
        }
    }

    private static Optional<Integer> priority(String text) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException unknown) {
            return Optional.empty();
        }
    }

    private static String part(Map<String, String> parts, String name) {
        return parts.getOrDefault(name, "");
    }

    private static long number(String millis) {
        try {
            return Long.parseLong(millis);
        } catch (NumberFormatException unknown) {
            return 0;
        }
    }
}
