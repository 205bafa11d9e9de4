package dev.election.internal.assembly;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Steering;
import dev.election.internal.engine.Engine;
import dev.election.internal.engine.EngineSettings;
import dev.election.internal.members.LatestBalance;
import dev.election.internal.members.Membership;
import dev.election.internal.members.MinimumMembers;
import dev.election.internal.members.OwnMember;
import dev.election.internal.messages.LocalMessages;
import dev.election.internal.partitions.GroupCount;
import dev.election.internal.partitions.LocalPartitions;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.steering.SteeredElections;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.partitions.Partitions;
import dev.election.store.LedgerStore;
import dev.election.store.MemberStore;
import dev.election.support.PartitionName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An engine with the parts that its builder asks for: the membership of the process, its messages, steering, and partitions. */
public final class AssembledEngine extends Engine implements ElectionEngine {

    private final EngineContext context;
    private final Steering preferences;
    private final LatestBalance balance;
    private final @Nullable Membership membership;
    private final @Nullable MinimumMembers minimum;
    private final @Nullable LocalMessages messages;
    private final @Nullable SteeredElections steered;
    private final Partitions partitions;
    private final Map<String, String> ledWith;

    /**
     * Creates an engine that is not started yet.
     *
     * @param nodes describes this process, at each start
     * @param asMember the description of this process for other members; {@code null} if it is no member
     * @param steering the preferences among the members; {@code null} without steering
     * @throws IllegalArgumentException if there is steering or a minimum without members
     */
    public AssembledEngine(
            Supplier<NodeInfo> nodes,
            EngineSettings settings,
            EngineContext context,
            @Nullable MemberSettings asMember,
            @Nullable Steering steering) {
        super(nodes, settings, context);
        this.context = context;
        Map<String, Integer> groups = settings.groups().counts();
        Map<String, String> ledWith = settings.ledWith();
        Steering balanced = balanced(steering, groups.keySet(), ledWith.keySet());
        this.ledWith = ledWith;
        this.preferences = balanced == null ? Steering.none() : balanced;
        this.balance = new LatestBalance(preferences);
        MemberStore store =
                asMember == null ? null : context.store().memberStore().orElse(null);
        if (asMember == null || store == null) {
            if (steering != null) {
                throw new IllegalArgumentException(
                        "Steering needs the members: describe this process as one, over a store that keeps members");
            }
            if (!settings.minimumMembers().isEmpty()) {
                throw new IllegalArgumentException(
                        "A minimum of members needs the members: describe this process as one,"
                                + " over a store that keeps members");
            }
            this.partitions = new LocalPartitions(List.of(), this);
            this.membership = null;
            this.minimum = null;
            this.messages = null;
            this.steered = null;
            return;
        }
        OwnMember own = OwnMember.of(
                identity(),
                context.clock().wall(),
                settings.timings().common().lease(),
                announcing(asMember, groups.keySet()),
                Optional.ofNullable(balanced).map(SteeredElections::standing));
        Membership joined = new Membership(own, store, context);
        add(joined);
        this.membership = joined;
        MinimumMembers waiting = new MinimumMembers(settings.minimumMembers(), joined, context);
        add(waiting);
        this.minimum = waiting;
        this.steered = balanced == null ? null : new SteeredElections(balanced, joined, waiting, context);
        if (steered != null) {
            joined.request();
            add(steered);
        }
        this.messages = store.messaging()
                .map(messaging -> new LocalMessages(messaging, joined, context))
                .orElse(null);
        List<GroupCount> counts = groups.entrySet().stream()
                .map(group -> new GroupCount(
                        group.getKey(),
                        group.getValue(),
                        settings.groups().onePerProcess().contains(group.getKey()),
                        ledgers(),
                        joined,
                        context))
                .toList();
        counts.forEach(count -> {
            add(count);
            addRecovery("count of the partitions", count);
        });
        this.partitions = new LocalPartitions(counts, this);
        groups.keySet().forEach(group -> settings.groups().elections(group).forEach(this::get));
    }

    /** Returns the steering by which the partitions are balanced unless it says otherwise, and elections that are led with another are not. */
    private static @Nullable Steering balanced(
            @Nullable Steering steering, Collection<String> groups, Collection<String> led) {
        Steering balanced = steering;
        for (String group : groups) {
            String all = PartitionName.ofAll(group);
            if (balanced != null && !balanced.balances().containsKey(all)) {
                balanced = balanced.balance(all, true);
            }
        }
        for (String election : led) {
            balanced = balanced == null ? null : balanced.balance(election, false);
        }
        return balanced;
    }

    /** Returns a description with as much as this process may later say of the counts, so that it is known to fit. */
    private static MemberSettings announcing(MemberSettings settings, Collection<String> groups) {
        MemberSettings longest = settings;
        for (String group : groups) {
            longest = longest.capability(PartitionName.CAPABILITY + group, Integer.toString(Integer.MAX_VALUE));
        }
        return longest;
    }

    private LedgerStore ledgers() {
        return context.store()
                .ledgerStore()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Partitions need a store that keeps ledgers, such as Redis or a database: the number of them is"
                                + " kept there"));
    }

    @Override
    public Partitions partitions() {
        return partitions;
    }

    @Override
    public Optional<Members> members() {
        Membership asked = membership;
        MinimumMembers waiting = minimum;
        if (asked == null || waiting == null) {
            return Optional.empty();
        }
        asked.request();
        return Optional.of(new LocalMembers(asked, waiting, preferences, balance, ledWith, context.clock()));
    }

    @Override
    public Optional<NodeMessages> messages() {
        return Optional.ofNullable(messages).map(LocalMessages::requested);
    }

    @Override
    public void reportHealth(@Nullable String problem, long askedAt) {
        SteeredElections told = steered;
        if (told == null) {
            throw new IllegalStateException("This process reports no health: build it with Steering.abdicateWhenDown");
        }
        context.loop().offer(() -> told.reportHealth(problem, askedAt));
    }
}
