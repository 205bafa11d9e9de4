package dev.election.internal.assembly;

import dev.election.ElectionEngine;
import dev.election.Steering;
import dev.election.internal.engine.Engine;
import dev.election.internal.engine.EngineSettings;
import dev.election.internal.members.Membership;
import dev.election.internal.members.OwnMember;
import dev.election.internal.messages.LocalMessages;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.steering.SteeredElections;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.store.MemberStore;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An engine with the parts that its builder asks for: the membership of the process, its messages, and steering. */
public final class AssembledEngine extends Engine implements ElectionEngine {

    private final EngineContext context;
    private final Steering preferences;
    private final @Nullable Membership membership;
    private final @Nullable LocalMessages messages;
    private final @Nullable SteeredElections steered;

    /**
     * Creates an engine that is not started yet.
     *
     * @param asMember the description of this process for other members; {@code null} if it is no member
     * @param steering the preferences among the members; {@code null} without steering
     * @throws IllegalArgumentException if there is steering without members
     */
    public AssembledEngine(
            EngineSettings settings,
            EngineContext context,
            @Nullable MemberSettings asMember,
            @Nullable Steering steering) {
        super(settings, context);
        this.context = context;
        this.preferences = steering == null ? Steering.none() : steering;
        MemberStore store =
                asMember == null ? null : context.store().memberStore().orElse(null);
        if (asMember == null || store == null) {
            if (steering != null) {
                throw new IllegalArgumentException(
                        "Steering needs the members: describe this process as one, over a store that keeps members");
            }
            this.membership = null;
            this.messages = null;
            this.steered = null;
            return;
        }
        Duration lease = settings.timings().common().lease();
        OwnMember own = OwnMember.of(
                identity(),
                context.clock().wall(),
                lease,
                asMember,
                Optional.ofNullable(steering).map(SteeredElections::standing));
        Membership joined = new Membership(own, store, context);
        add(joined);
        this.membership = joined;
        this.steered = steering == null ? null : new SteeredElections(steering, joined, lease, context);
        if (steered != null) {
            joined.request();
            add(steered);
        }
        this.messages = store.messaging()
                .map(messaging -> new LocalMessages(messaging, joined, lease, context))
                .orElse(null);
    }

    @Override
    public Optional<Members> members() {
        Membership asked = membership;
        if (asked == null) {
            return Optional.empty();
        }
        asked.request();
        return Optional.of(new LocalMembers(asked, preferences, context.clock()));
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
