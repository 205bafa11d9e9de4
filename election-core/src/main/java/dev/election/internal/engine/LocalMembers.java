package dev.election.internal.engine;

import dev.election.members.Member;
import dev.election.members.MemberListener;
import dev.election.members.MemberRole;
import dev.election.members.Members;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The members for callers on any thread; {@link Membership} works on the loop. */
final class LocalMembers implements Members {

    private final Membership membership;
    private final Clock clock;

    LocalMembers(Membership membership, Clock clock) {
        this.membership = membership;
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
        return withRole(election, MemberRole.CANDIDATE);
    }

    @Override
    public int count() {
        return membership.known().members().size();
    }

    @Override
    public Member own() {
        return membership.own().member();
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
