package dev.election.autoconfigure;

import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.NodeInfo;
import dev.election.Preference;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.autoconfigure.checks.Finding;
import dev.election.members.MemberSettings;
import dev.election.spring.Candidacy;
import dev.election.store.LeaseStore;
import dev.election.store.StoreTraits;
import dev.election.support.ReadableDuration;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.ClassUtils;

/**
 * Properties of the elections.
 *
 * @param enabled whether this application takes part in elections; if not, guarded methods run on every node
 * @param role the role of this process in elections without a role of their own: a candidate, or an observer, which never campaigns but
 *     knows who leads
 * @param lease how long a leader that does not renew its lease remains leader. After a crash no node leads for up to this time. All nodes of
 *     an election must use the same
 * @param tokensAhead how far a fencing token in a message or a request may be ahead of the clocks before it is ignored as forged. Increase it only if
 *     the clock of the store of the elections was once ahead by more: tokens stay ahead then
 * @param drainable whether this node can be drained; where another property of steering is set unless set
 * @param drainedOnStart whether this node is drained from its start on, until it is set to active
 * @param priority the priority of this node in elections without a priority of their own, 0 unless set: the highest one should lead
 * @param prefer which of several candidates with the same priority should lead
 * @param preferZone the zone whose candidates should lead before others with the same priority
 * @param preempt whether a leader hands over to a better candidate that is there
 * @param minimumTenure how long a leader leads at least before it hands over by itself
 * @param maximumTenure how long a leader leads before it hands over to another candidate; without limit unless set
 * @param balance whether elections are shared out: among candidates that are equal otherwise, each leads as many of them as the others, or one
 *     more. All nodes should use the same
 * @param abdicateWhenDown the names of the health contributors that have to be up: while one of them is down, other nodes come first, and a leader hands
 *     over to a node that is up
 * @param giveUpOnFailedStart whether a leader gives leadership up if a listener to its beginning throws or the start of a leader-only bean fails
 *     five times in a row; it does not campaign for a lease then, and for twice as long each further time
 * @param recovery settings of what a new leader does before its work
 * @param runOnce settings of tasks that run once
 * @param node the identity of this process
 * @param members settings of the members
 * @param elections settings for single elections, by name; elections named in annotations need no entry
 * @param partitions groups of partitions that the processes share, by name
 * @param startup settings for the start of the application
 * @param shutdown settings for the shutdown of the application
 * @param health settings of the health indicator
 */
@ConfigurationProperties("election")
public record ElectionProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("candidate") AssignedRole role,
        @DefaultValue("15s") Duration lease,
        @DefaultValue("1d") Duration tokensAhead,
        @Nullable Boolean drainable,
        @DefaultValue("false") boolean drainedOnStart,
        @Nullable Integer priority,
        @DefaultValue("none") Preference prefer,
        @DefaultValue("") String preferZone,
        @DefaultValue("false") boolean preempt,
        @DefaultValue("1m") Duration minimumTenure,
        @Nullable Duration maximumTenure,
        @DefaultValue("false") boolean balance,
        @DefaultValue List<String> abdicateWhenDown,
        @DefaultValue("false") boolean giveUpOnFailedStart,
        @DefaultValue Recovery recovery,
        @DefaultValue RunOnce runOnce,
        @DefaultValue Node node,
        @DefaultValue Members members,
        @DefaultValue Map<String, Special> elections,
        @DefaultValue Map<String, Group> partitions,
        @DefaultValue Startup startup,
        @DefaultValue Shutdown shutdown,
        @DefaultValue Health health) {

    private static final String PARTITIONS = "election.partitions.";

    static final String ABDICATE_WHEN_DOWN = "election.abdicate-when-down";

    private static final Duration DEFAULT_MINIMUM_TENURE = Duration.ofMinutes(1);
    private static final Duration LEAST_AHEAD = Duration.ofMinutes(1);
    private static final Duration MOST_AHEAD = Duration.ofDays(36_500);

    public ElectionProperties {
        if (tokensAhead.compareTo(LEAST_AHEAD) < 0 || tokensAhead.compareTo(MOST_AHEAD) > 0) {
            throw ElectionConfigurationException.ofProperty(
                    "election.tokens-ahead",
                    "The time must lie between " + ReadableDuration.of(LEAST_AHEAD) + " and "
                            + ReadableDuration.of(MOST_AHEAD) + ", but is " + ReadableDuration.of(tokensAhead));
        }
        elections = new LinkedHashMap<>(elections);
        partitions = new LinkedHashMap<>(partitions);
        partitions.forEach(ElectionProperties::requireGroup);
    }

    private static void requireGroup(String name, Group group) {
        if (group.count() == null) {
            throw ElectionConfigurationException.ofProperty(
                    PARTITIONS + name + ".count", "The group of partitions '" + name + "' has no count");
        }
        if (group.threads() != null && group.threads() < 1) {
            throw ElectionConfigurationException.ofProperty(
                    PARTITIONS + name + ".threads", "It must be at least 1, but is " + group.threads());
        }
    }

    /**
     * The identity of this process.
     *
     * @param id the id of the node, unique among the processes of an election; unless set the host name with a random suffix, which is
     *     another one after each start
     * @param address the host or host and port of this node, shown beside its id unless it has a web server; the host name unless set
     * @param uri where the web server of this node is reached, shown beside its id; the host of its address and the port on which it
     *     listens unless set
     * @param publicUri where clients reach this node and no other, for requests that another node redirects to it; with the context
     *     path of servlets, without spring.mvc.servlet.path and spring.webflux.base-path
     * @param zone where this node runs, for other members
     * @param metadata further values that the endpoint, info and other members show for this node
     * @param capabilities what this node can do, for other members: a text, which may be empty, by name
     */
    public record Node(
            @Nullable String id,
            @Nullable String address,
            @Nullable String uri,
            @Nullable String publicUri,
            @DefaultValue("") String zone,
            @DefaultValue Map<String, String> metadata,
            @DefaultValue Map<String, String> capabilities) {

        /** Members have no part of its own for the public URI. */
        private Map<String, String> describedMetadata() {
            if (publicUri == null) {
                return metadata;
            }
            Map<String, String> described = new LinkedHashMap<>(metadata);
            described.put("public-uri", publicUri);
            return described;
        }

        String host() {
            return address != null ? address : NodeInfo.ofThisHost().address();
        }
    }

    /**
     * Settings of tasks that run once.
     *
     * @param longest how long the start waits for a task that no process runs before it fails
     */
    public record RunOnce(@Name("wait") @DefaultValue("10m") Duration longest) {

        public RunOnce {
            if (longest.isNegative() || longest.isZero()) {
                throw ElectionConfigurationException.ofProperty(
                        "election.run-once.wait",
                        "The time must be longer than zero, but is " + ReadableDuration.of(longest));
            }
        }
    }

    /**
     * Settings of what a new leader does before its work.
     *
     * @param atMost how long each LeaderRecovery bean may take; a leader whose recovery takes longer gives leadership up
     */
    public record Recovery(@DefaultValue("1m") Duration atMost) {

        public Recovery {
            if (atMost.isNegative() || atMost.isZero()) {
                throw ElectionConfigurationException.ofProperty(
                        "election.recovery.at-most",
                        "The time must be longer than zero, but is " + ReadableDuration.of(atMost));
            }
            atMost = Election.bounded(atMost);
        }
    }

    /**
     * Settings of the members.
     *
     * @param enabled whether this node registers as a member and sees the others; where the application asks for that unless set
     */
    public record Members(@Nullable Boolean enabled) {}

    /**
     * Settings of one election.
     *
     * @param role the role of this process in this election; election.role unless set
     * @param lease how long a leader of this election that does not renew its lease remains leader; election.lease unless set
     * @param drain how long a stop or an abdication waits for running work of this election; election.shutdown.await unless set
     * @param priority the priority of this node in this election; election.priority unless set
     * @param balance whether this election is one of those that are shared out; election.balance unless set
     * @param minimumMembers how many candidates of this election the members have to show before this node campaigns, after each start; none unless
     *     set. A leader stays if others go
     * @param ledWith the election whose leader leads this one, too, by one lease; no other property of this election may be set then
     */
    public record Special(
            @Nullable AssignedRole role,
            @Nullable Duration lease,
            @Nullable Duration drain,
            @Nullable Integer priority,
            @Nullable Boolean balance,
            @Nullable Integer minimumMembers,
            @Nullable String ledWith) {

        /** Whether this election has a lease of its own. */
        private boolean hasLease() {
            return ledWith == null;
        }

        private boolean hasOtherSettings() {
            return !equals(new Special(null, null, null, null, null, null, ledWith));
        }
    }

    /**
     * Settings of a group of partitions.
     *
     * @param count the number of partitions, the same on all nodes and for good: another number is another group
     * @param threads on how many threads the methods of the group run; as many as partitions are led, up to 8, unless set
     * @param onePerProcess whether this node leads one partition at most, so that as many nodes work at a time as there are partitions
     */
    public record Group(
            @Nullable Integer count, @Nullable Integer threads, @DefaultValue("false") boolean onePerProcess) {}

    /**
     * Settings for the start of the application.
     *
     * @param candidacy when this node begins to take part in elections: after the runners of the application have returned, or
     *     before they are called, which is needed if one of them does not return
     */
    public record Startup(@DefaultValue("after-runners") Candidacy candidacy) {}

    /**
     * Settings for the shutdown of the application.
     *
     * @param await how long a shutdown or an abdication waits for running leader work before it releases leadership; an election may have a
     *     drain time of its own
     */
    public record Shutdown(@DefaultValue("30s") Duration await) {

        public Shutdown {
            await = Election.bounded(await);
        }
    }

    /**
     * Settings of the health indicator.
     *
     * @param stuckWorkAfter how long a call of a guarded method may run on the leader before the health of its node is down; without limit
     *     unless set. Quartz jobs and Election.runIfLeader do not count
     * @param abdicateWhenStuck whether the leader also abdicates when a guarded call has run for longer than stuck-work-after
     */
    public record Health(@Nullable Duration stuckWorkAfter, @DefaultValue("false") boolean abdicateWhenStuck) {

        public Health {
            if (abdicateWhenStuck && stuckWorkAfter == null) {
                throw ElectionConfigurationException.ofProperty(
                        "election.health.stuck-work-after",
                        "election.health.abdicate-when-stuck is true, but election.health.stuck-work-after is not set");
            }
        }
    }

    /** The settings that this node publishes to the other members. */
    MemberSettings asMember(String version) {
        return new MemberSettings(
                node.uri() == null ? "" : node.uri(),
                "",
                version,
                node.zone(),
                node.describedMetadata(),
                node.capabilities());
    }

    /** The timing of elections without an entry. */
    Timing timing() {
        requireTime("election.shutdown.await", shutdown.await());
        return timing("election.lease", lease, shutdown.await());
    }

    /** The timing of each election that has an entry. */
    Map<String, Timing> timings() {
        Map<String, Timing> timings = new LinkedHashMap<>();
        elections.forEach((name, special) -> {
            if (!Election.isName(name)) {
                throw ElectionConfigurationException.ofProperty(
                        "election.elections." + name,
                        "The name of an election must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + name + "'");
            }
            if (special.hasLease()) {
                timings.put(name, timing(name, special));
            }
        });
        return timings;
    }

    /** The number of partitions of each group. */
    public Map<String, Integer> counts() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        partitions.forEach((name, group) -> counts.put(name, Objects.requireNonNull(group.count())));
        return counts;
    }

    /** The groups of which this process leads one partition at most. */
    public Set<String> onePerProcess() {
        return partitions.entrySet().stream()
                .filter(group -> group.getValue().onePerProcess())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns the number of threads that a group is to have, {@code null} if the application does not say. */
    @Nullable
    Integer threads(String group) {
        Group known = partitions.get(group);
        return known == null ? null : known.threads();
    }

    /** Returns the error for partitions, or elections that are led together, that can't be; the same one if it is about something else. */
    RuntimeException invalidPartitions(IllegalArgumentException invalid) {
        String message = String.valueOf(invalid.getMessage());
        Optional<String> named = ledWith().keySet().stream()
                .filter(led -> message.contains("'" + led + "' can't be led with"))
                .map(ElectionProperties::ledProperty)
                .findFirst()
                .or(() -> partitions.keySet().stream()
                        .filter(group -> message.contains("'" + group + "'"))
                        .findFirst()
                        .map(group -> PARTITIONS + group + ".count"))
                .or(() -> Optional.of("election.partitions").filter(all -> message.startsWith("Partitions ")));
        return named.<RuntimeException>map(
                        property -> ElectionConfigurationException.ofProperty(property, message, invalid))
                .orElse(invalid);
    }

    /** The role of this process in each election that has an entry. */
    Map<String, AssignedRole> roles() {
        Map<String, AssignedRole> roles = new LinkedHashMap<>();
        elections.forEach((name, special) -> {
            if (special.hasLease()) {
                roles.put(name, special.role() != null ? special.role() : role);
            }
        });
        return roles;
    }

    /** Which of the members should lead; empty if nothing asks for an order, or for a drain. */
    Optional<Steering> steering() {
        String property = steeringProperty();
        if (property == null) {
            return Optional.empty();
        }
        if (Boolean.FALSE.equals(drainable)) {
            throw ElectionConfigurationException.ofProperty(
                    "election.drainable", property + " is set, and each node with steering can be drained");
        }
        requireMembers(property);
        Map<String, Integer> special = new LinkedHashMap<>();
        Map<String, Boolean> balances = new LinkedHashMap<>();
        elections.forEach((name, election) -> {
            if (election.priority() != null) {
                special.put(name, election.priority());
            }
            if (election.balance() != null) {
                balances.put(name, election.balance());
            }
        });
        try {
            return Optional.of(new Steering(
                    priority == null ? 0 : priority,
                    special,
                    prefer,
                    preferZone,
                    drainedOnStart,
                    preempt,
                    minimumTenure,
                    maximumTenure,
                    balance,
                    balances,
                    !abdicateWhenDown.isEmpty()));
        } catch (IllegalArgumentException invalid) {
            throw ElectionConfigurationException.ofProperty(
                    "election.minimum-tenure and election.maximum-tenure",
                    String.valueOf(invalid.getMessage()),
                    invalid);
        }
    }

    private void requireMembers(String property) {
        if (Boolean.FALSE.equals(members.enabled())) {
            throw ElectionConfigurationException.ofProperty(
                    property, "It needs the members, which election.members.enabled=false switches off");
        }
    }

    /** The number of candidates that an election needs before this node campaigns, by name. */
    Map<String, Integer> minimumMembers() {
        Map<String, Integer> minimums = new LinkedHashMap<>();
        elections.forEach((name, special) -> {
            Integer minimum = special.minimumMembers();
            if (minimum != null) {
                requireMembers(minimumProperty(name));
                if (minimum < 1) {
                    throw ElectionConfigurationException.ofProperty(
                            minimumProperty(name), "It must be at least 1, but is " + minimum);
                }
                minimums.put(name, minimum);
            }
        });
        return minimums;
    }

    /** The elections that are led with another one, and that other one. */
    Map<String, String> ledWith() {
        Map<String, String> led = new LinkedHashMap<>();
        elections.forEach((name, special) -> {
            String with = special.ledWith();
            if (with != null) {
                if (special.hasOtherSettings()) {
                    throw ElectionConfigurationException.ofProperty(
                            ledProperty(name),
                            "Remove the other properties of '" + name
                                    + "': it has the lease, the role and the order of '" + with + "'");
                }
                led.put(name, with);
            }
        });
        return led;
    }

    private static String ledProperty(String election) {
        return "election.elections." + election + ".led-with";
    }

    private static String minimumProperty(String election) {
        return "election.elections." + election + ".minimum-members";
    }

    /** Whether a property needs the members. */
    boolean needsMembers() {
        return Boolean.TRUE.equals(members.enabled()) || propertyWithMembers() != null;
    }

    private @Nullable String propertyWithMembers() {
        String steering = steeringProperty();
        return steering != null
                ? steering
                : minimumMembers().keySet().stream()
                        .findFirst()
                        .map(ElectionProperties::minimumProperty)
                        .orElse(null);
    }

    /** Values that are accepted and have no effect. */
    List<Finding> withoutEffect() {
        List<Finding> findings = new ArrayList<>();
        boolean handsOver = steering().filter(Steering::handsOver).isPresent();
        if (!minimumTenure.equals(DEFAULT_MINIMUM_TENURE) && !handsOver) {
            findings.add(new Finding(
                    "The property election.minimum-tenure is " + ReadableDuration.of(minimumTenure)
                            + " and has no effect: no leader hands over by itself",
                    "Set election.preempt, election.maximum-tenure or election.abdicate-when-down, or remove it"));
        }
        if (node.uri() != null && !isAddress(node.uri())) {
            findings.add(new Finding(
                    "The property election.node.uri is '" + node.uri() + "', by which other nodes can't reach this one",
                    "Set it to a URI with a scheme and a host, such as http://10.0.3.5:8080, or remove it"));
        }
        return findings;
    }

    private static boolean isAddress(String uri) {
        try {
            URI parsed = new URI(uri);
            return parsed.getScheme() != null && parsed.getHost() != null;
        } catch (URISyntaxException none) {
            return false;
        }
    }

    /** The first property by which this node has steering, {@code null} if there is none. */
    private @Nullable String steeringProperty() {
        Map<String, Boolean> set = new LinkedHashMap<>();
        set.put("election.drainable", Boolean.TRUE.equals(drainable));
        set.put("election.drained-on-start", drainedOnStart);
        set.put("election.priority", priority != null);
        elections.forEach((name, special) -> {
            set.put("election.elections." + name + ".priority", special.priority() != null);
            set.put("election.elections." + name + ".balance", Boolean.TRUE.equals(special.balance()));
        });
        partitions.keySet().forEach(group -> set.put(PARTITIONS + group, true));
        set.put("election.balance", balance);
        set.put("election.prefer", prefer != Preference.NONE);
        set.put("election.prefer-zone", !preferZone.isEmpty());
        set.put("election.preempt", preempt);
        set.put("election.maximum-tenure", maximumTenure != null);
        set.put(ABDICATE_WHEN_DOWN, !abdicateWhenDown.isEmpty());
        return set.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    /** Refuses steering and a minimum of members over a store that keeps no members. */
    void requireMembersFor(LeaseStore store) {
        String property = propertyWithMembers();
        if (property != null && store.memberStore().isEmpty()) {
            throw ElectionConfigurationException.ofProperty(
                    property,
                    "It needs the members, but " + store.traits().name()
                            + " keeps none. Remove the property, or use a store that keeps them");
        }
    }

    /** Refuses hand-overs of a leader's own over a store that forgets how many there were: nothing would make them wait longer each time. */
    void requireLeadershipsFor(LeaseStore store) {
        String property = preempt ? "election.preempt" : abdicateWhenDown.isEmpty() ? null : ABDICATE_WHEN_DOWN;
        if (property != null && store.leadershipsKept() < Steering.LEADERSHIPS_NEEDED) {
            throw ElectionConfigurationException.ofProperty(
                    property,
                    "It needs the latest " + Steering.LEADERSHIPS_NEEDED + " leaderships of an election, but "
                            + store.traits().name() + " keeps " + store.leadershipsKept()
                            + ". Use a store that keeps as many, or remove the property");
        }
    }

    /** Refuses names of health contributors where there can be none. */
    void requireHealthModule(@Nullable ClassLoader loader) {
        if (!abdicateWhenDown.isEmpty()
                && !ClassUtils.isPresent(
                        "org.springframework.boot.health.registry.HealthContributorRegistry", loader)) {
            throw ElectionConfigurationException.ofProperty(
                    ABDICATE_WHEN_DOWN,
                    "It names health contributors, but spring-boot-health is not on the class path: add"
                            + " spring-boot-starter-actuator, or remove the property");
        }
    }

    /** The lease of the election of that name. */
    public Duration lease(String election) {
        return timings()
                .getOrDefault(ledWith().getOrDefault(election, election), timing())
                .lease();
    }

    /** Refuses a lease that is too short for the store, which is longer than the shortest one of any. */
    public void requireLeasesFor(StoreTraits store) {
        requireLease(store, "election.lease", lease);
        elections.forEach((name, special) -> {
            if (special.lease() != null) {
                requireLease(store, "election.elections." + name + ".lease", special.lease());
            }
        });
    }

    /** The longest drain time of all elections. */
    public Duration longestDrain() {
        return allTimings().map(Timing::drain).max(Duration::compareTo).orElseThrow();
    }

    /** The shortest lease of all elections, from which the store derives its timeouts. */
    public Duration shortestLease() {
        return allTimings().map(Timing::lease).min(Duration::compareTo).orElseThrow();
    }

    /** The upper bound of the time that the elections take to stop. */
    Duration longestStop() {
        return allTimings().map(Timing::longestStop).max(Duration::compareTo).orElseThrow();
    }

    private Stream<Timing> allTimings() {
        return Stream.concat(Stream.of(timing()), timings().values().stream());
    }

    private Timing timing(String name, Special special) {
        Duration drain = special.drain() != null ? special.drain() : shutdown.await();
        String prefix = "election.elections." + name;
        requireTime(special.drain() != null ? prefix + ".drain" : "election.shutdown.await", drain);
        return special.lease() != null
                ? timing(prefix + ".lease", special.lease(), drain)
                : timing("election.lease", lease, drain);
    }

    private static void requireTime(String property, Duration time) {
        if (time.isNegative()) {
            throw ElectionConfigurationException.ofProperty(
                    property, "The time can't be negative, but is " + ReadableDuration.of(time));
        }
    }

    private static void requireLease(StoreTraits store, String property, Duration lease) {
        try {
            store.requireLongEnough(lease, property);
        } catch (IllegalArgumentException shorter) {
            throw ElectionConfigurationException.ofProperty(property, String.valueOf(shorter.getMessage()), shorter);
        }
    }

    /** Renewed every third of the lease: so a store that is away for two thirds of it costs no leadership. A failure names the property. */
    private static Timing timing(String property, Duration lease, Duration drain) {
        return ElectionConfigurationException.valid(property, () -> new Timing(lease, lease.dividedBy(3), drain));
    }
}
