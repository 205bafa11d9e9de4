package dev.election.internal.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.StoreProblem;
import dev.election.store.AnnounceReply;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.LeaveReply;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreRequest;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store whose every reply the test gives by hand, when it likes. */
public final class ScriptedStore implements LeaseStore {

    private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

    /** Whether it sends the requests of all elections together. */
    public boolean sendsTogether;

    public final Deque<Asked<CampaignRequest, CampaignReply>> campaigns = new ArrayDeque<>();
    public final Deque<Asked<RenewRequest, RenewReply>> renewals = new ArrayDeque<>();
    public final Deque<Asked<ReleaseRequest, ReleaseReply>> releases = new ArrayDeque<>();
    public final Deque<Asked<EvictRequest, EvictReply>> evictions = new ArrayDeque<>();
    public final Deque<Asked<String, ReadReply>> looks = new ArrayDeque<>();

    public final Deque<Asked<BeatRequest, BeatReply>> beats = new ArrayDeque<>();
    public final Deque<Asked<String, LeaveReply>> leavings = new ArrayDeque<>();

    public final BlockingDeque<Asked<Posted, AnnounceReply>> posted = new LinkedBlockingDeque<>();

    /** What was sent together, for each time: the kind of request and the election. */
    public final List<List<String>> conversations = new ArrayList<>();

    public final Deque<NodeMessage> messages = new ArrayDeque<>();
    AnnounceReply announcement = new AnnounceReply.Announced();
    public static final StoreTraits TRAITS = StoreTraits.ofServer("Script", "script.prefix");

    private final StoreTraits traits;
    private final boolean evicts;
    private final boolean passesMessages;
    private final Map<String, Consumer<StoreEvent>> ears = new LinkedHashMap<>();
    private @Nullable Consumer<MemberNews> memberEar;
    private @Nullable Consumer<MemberMessage> postEar;

    /** A store with every capability. */
    public ScriptedStore() {
        this(TRAITS);
    }

    /** The same with other traits. */
    public ScriptedStore(StoreTraits traits) {
        this(traits, true, true);
    }

    private ScriptedStore(StoreTraits traits, boolean evicts, boolean passesMessages) {
        this.traits = traits;
        this.evicts = evicts;
        this.passesMessages = passesMessages;
    }

    public static ScriptedStore withoutEviction() {
        return new ScriptedStore(TRAITS, false, true);
    }

    public static ScriptedStore withoutMessaging() {
        return new ScriptedStore(TRAITS, true, false);
    }

    public record Asked<Q, A>(Q request, CompletableFuture<A> reply) {
        public void answer(A answer) {
            reply.complete(answer);
        }
    }

    public static CampaignReply granted(long token) {
        return new CampaignReply.Granted(new FencingToken(token), SINCE, SINCE.plusSeconds(token));
    }

    public static RenewReply renewed() {
        return new RenewReply.Renewed(SINCE.plusSeconds(1000));
    }

    public static Held held(String node, long token, Duration remaining) {
        return held(node, token, remaining, 0);
    }

    public static Held held(String node, long token, Duration remaining, int rank) {
        return new Held(leader(node, token), remaining, rank);
    }

    public static Leader leader(String node, long token) {
        return new Leader(node, node + ":80", new FencingToken(token), SINCE);
    }

    public static NoAnswer broken(StoreProblem problem) {
        return new NoAnswer(problem, "as the test wants it");
    }

    public void event(StoreEvent event) {
        List.copyOf(ears.keySet()).forEach(election -> event(election, event));
    }

    public void event(String election, StoreEvent event) {
        Consumer<StoreEvent> ear = ears.get(election);
        if (ear != null) {
            ear.accept(event);
        }
    }

    public void message(NodeMessage message) {
        event(new StoreEvent.Received(message));
    }

    /** To whoever listens to the members. */
    public void news(MemberNews news) {
        if (memberEar != null) {
            memberEar.accept(news);
        }
    }

    public boolean hearsOfMembers() {
        return memberEar != null;
    }

    /** To whoever listens to messages of members. */
    public void post(MemberMessage message) {
        if (postEar != null) {
            postEar.accept(message);
        }
    }

    public boolean hearsMessagesOfMembers() {
        return postEar != null;
    }

    /** A message to an instance, or to all. */
    public record Posted(String to, String text) {}

    public boolean isListenedTo() {
        return !ears.isEmpty();
    }

    @Override
    public boolean sendsTogether() {
        return sendsTogether;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        return ask(campaigns, request);
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        return ask(renewals, request);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return ask(releases, request);
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return ask(looks, election);
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        conversations.add(requests.stream().map(ScriptedStore::kind).toList());
        return LeaseStore.super.send(requests);
    }

    private static String kind(StoreRequest<?> asked) {
        if (!(asked instanceof StoreRequest.OfCandidate<?> request)) {
            return "beat";
        }
        String kind = request instanceof CampaignRequest
                ? "campaign"
                : request instanceof RenewRequest ? "renewal" : "release";
        return kind + " of " + request.candidate().election();
    }

    @Override
    public Subscription listen(String election, Consumer<StoreEvent> listener) {
        ears.put(election, listener);
        return () -> ears.remove(election);
    }

    @Override
    public Optional<Eviction> eviction() {
        return evicts ? Optional.of(request -> ask(evictions, request)) : Optional.empty();
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return passesMessages ? Optional.of(new ScriptedMessaging()) : Optional.empty();
    }

    @Override
    public Optional<MemberStore> memberStore() {
        return passesMessages ? Optional.of(new ScriptedMembers()) : Optional.empty();
    }

    private final class ScriptedMembers implements MemberStore {

        @Override
        public CompletionStage<BeatReply> beat(BeatRequest request) {
            return ask(beats, request);
        }

        @Override
        public CompletionStage<LeaveReply> leave(String instance) {
            return ask(leavings, instance);
        }

        @Override
        public Subscription listen(Consumer<MemberNews> listener) {
            memberEar = listener;
            return () -> memberEar = null;
        }

        @Override
        public int mostMembers() {
            return 3;
        }

        @Override
        public Optional<MemberMessaging> messaging() {
            return Optional.of(new ScriptedMemberMessaging());
        }
    }

    private final class ScriptedMemberMessaging implements MemberMessaging {

        @Override
        public CompletionStage<AnnounceReply> send(String instance, String text) {
            return ask(posted, new Posted(instance, text));
        }

        @Override
        public CompletionStage<AnnounceReply> sendToAll(String text) {
            return send("all", text);
        }

        @Override
        public Subscription listen(String instance, Consumer<MemberMessage> listener) {
            assertThat(postEar).as("who listens as " + instance).isNull();
            postEar = listener;
            return () -> postEar = null;
        }
    }

    private final class ScriptedMessaging implements NodeMessaging {

        @Override
        public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
            messages.add(message);
            return CompletableFuture.completedFuture(announcement);
        }
    }

    private static <Q, A> CompletionStage<A> ask(Deque<Asked<Q, A>> asked, Q request) {
        CompletableFuture<A> reply = new CompletableFuture<>();
        asked.add(new Asked<>(request, reply));
        return reply;
    }
}
