package dev.election.internal.assembly;

import dev.election.Abdication;
import dev.election.Leader;
import dev.election.Steering;
import dev.election.engine.Clock;
import dev.election.internal.members.KnownMembers;
import dev.election.internal.members.LatestBalance;
import dev.election.internal.members.Membership;
import dev.election.internal.members.MinimumMembers;
import dev.election.internal.succession.Succession;
import dev.election.members.Drain;
import dev.election.members.DrainOutcome;
import dev.election.members.Member;
import dev.election.members.MemberListener;
import dev.election.members.MemberRole;
import dev.election.members.Members;
import dev.election.members.Successor;
import dev.election.support.OneLine;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The members for callers on any thread. {@link Membership} runs on the loop. */
final class LocalMembers implements Members {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Membership membership;
    private final MinimumMembers minimum;
    private final Steering steering;
    private final LatestBalance balance;
    private final Map<String, String> ledWith;
    private final Clock clock;

    LocalMembers(
            Membership membership,
            MinimumMembers minimum,
            Steering steering,
            LatestBalance balance,
            Map<String, String> ledWith,
            Clock clock) {
        this.membership = membership;
        this.minimum = minimum;
        this.steering = steering;
        this.balance = balance;
        this.ledWith = ledWith;
        this.clock = clock;
    }

    @Override
    public List<Member> all() {
        return membership.known().all();
    }

    @Override
    public Optional<Member> find(String id) {
        return membership.known().where(member -> member.id().equals(id)).stream()
                .reduce((earlier, later) -> later);
    }

    @Override
    public Optional<Member> confirmed(String id) {
        Optional<Member> confirmed = membership.known().confirmed(id);
        if (!confirmed.equals(find(id))) {
            membership.askSoon();
        }
        return confirmed;
    }

    @Override
    public List<Member> withRole(String election, MemberRole role) {
        return membership.known().where(member -> member.roles().get(election) == role);
    }

    @Override
    public List<Member> withCapability(String name) {
        return membership.known().where(member -> member.capabilities().containsKey(name));
    }

    @Override
    public Optional<Member> leader(String election) {
        return membership.known().leader(election);
    }

    @Override
    public List<Member> candidates(String election) {
        return succession(election).stream()
                .map(Successor::member)
                .filter(member -> member.roles().get(election) == MemberRole.CANDIDATE)
                .toList();
    }

    @Override
    public List<Successor> succession(String election) {
        KnownMembers known = membership.known();
        return Succession.of(leasing(election), known.all(), steering, balance.of(known.members()))
                .places();
    }

    @Override
    public List<Drain> drains() {
        return membership.known().drains().byNode().values().stream()
                .sorted(Comparator.comparing(Drain::node))
                .toList();
    }

    @Override
    public CompletionStage<DrainOutcome> drain(String node, String requestedBy) {
        requireNodeId(node);
        String by = OneLine.shown(requestedBy, Abdication.LONGEST_REQUESTER);
        log.info("Drain of {}, requested by {}: it leads nothing until that is revoked", node, by);
        return membership.drain(new Drain(node, by, clock.wall()));
    }

    @Override
    public CompletionStage<DrainOutcome> activate(String node, String requestedBy) {
        requireNodeId(node);
        log.info(
                "End of the drain of {}, requested by {}",
                node,
                OneLine.shown(requestedBy, Abdication.LONGEST_REQUESTER));
        return membership.activate(node);
    }

    private static void requireNodeId(String node) {
        if (!Leader.isNodeId(node)) {
            throw new IllegalArgumentException("The id of a node must be 1 to 128 of A-Z a-z 0-9 . _ : - but is '"
                    + OneLine.shown(node, 128) + "'");
        }
    }

    @Override
    public int count() {
        return membership.known().members().size();
    }

    @Override
    public boolean await(int count, Duration timeout) throws InterruptedException {
        return membership.await(count, timeout);
    }

    @Override
    public Optional<String> waitsFor(String election) {
        return minimum.waitsFor(leasing(election));
    }

    /** Returns the election whose lease decides who leads an election. */
    private String leasing(String election) {
        return ledWith.getOrDefault(election, election);
    }

    @Override
    public Member own() {
        Member own = membership.own().member();
        return own.as(own.standing()
                .map(standing -> standing.drained(
                        Optional.ofNullable(membership.known().drains().byNode().get(own.id())))));
    }

    @Override
    public void setMetadata(String key, @Nullable String value) {
        membership.change(settings -> settings.metadata(key, value == null ? "" : value));
    }

    @Override
    public void setUri(String uri, String managementUri) {
        membership.change(settings -> settings.at(uri, managementUri));
    }

    @Override
    public MembersView view() {
        KnownMembers known = membership.known();
        Long confirmedAt = known.confirmedAt();
        return confirmedAt == null
                ? new MembersView(false, Duration.ZERO, known.isStoreReachable())
                : new MembersView(true, Duration.ofNanos(clock.nanos() - confirmedAt), known.isStoreReachable());
    }

    @Override
    public void addListener(MemberListener listener) {
        membership.addListener(listener);
    }

    @Override
    public void removeListener(MemberListener listener) {
        membership.removeListener(listener);
    }
}
