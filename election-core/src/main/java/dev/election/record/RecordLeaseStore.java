package dev.election.record;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.StoreProblem;
import dev.election.record.RecordedElection.Moment;
import dev.election.store.AnnounceReply;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.LedgerStore;
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
import dev.election.store.StoreMoment;
import dev.election.store.StoreRequest;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Leases in a store that can change a text only as a whole: each request reads the record of the election, decides by the
 * {@link LeaseRules}, and writes the record if nobody has changed it meanwhile.
 *
 * <p>Messages from one node to the others are part of the record too. A node that is not notified at once of a change finds it with its next
 * request.
 */
public final class RecordLeaseStore implements LeaseStore, Eviction, NodeMessaging {

    /** The beginning of the keys of ledgers, with a slash, which is in no name of an election. */
    private static final String LEDGER = "ledger/";

    private static final String MEMBERS = "members/";

    private static final String MESSAGES = "messages/";

    /** The usual time of a look at all servers, and a little more. */
    private static final Duration LOOK = Duration.ofMillis(50);

    private final RecordStore store;
    private final LeaseRules rules;
    private final ObservedStore observed;
    private final LongSupplier wall;
    private final LedgerStore ledgerStore;
    private final RecordMembers members;
    private final String prefix;
    private final Map<String, RecordedElection> elections = new ConcurrentHashMap<>();

    /**
     * Creates the store of one process. Sends no request yet.
     *
     * @param store the store that holds the records
     * @param prefix the beginning of all keys
     * @param rules the rules by which leases are granted
     */
    public RecordLeaseStore(RecordStore store, String prefix, LeaseRules rules) {
        this(store, prefix, rules, System::nanoTime, System::currentTimeMillis);
    }

    /**
     * Creates the store with other clocks of the process.
     *
     * @param nanos a clock that counts nanoseconds and never goes back
     * @param wall a clock of milliseconds since 1970, for times that people read and for tokens in a store without a clock
     */
    public RecordLeaseStore(RecordStore store, String prefix, LeaseRules rules, LongSupplier nanos, LongSupplier wall) {
        this.store = store;
        this.prefix = prefix;
        this.rules = rules;
        this.observed = new ObservedStore(nanos);
        this.wall = wall;
        this.ledgerStore = new RecordLedgerStore(store, prefix + LEDGER, observed);
        this.members = new RecordMembers(
                store,
                prefix + MEMBERS,
                observed,
                wall,
                store.passesMessages() ? new RecordMessaging(store, prefix + MESSAGES, observed, wall) : null);
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        List<CompletionStage<?>> replies = new ArrayList<>();
        store.together(() -> requests.forEach(request -> replies.add(request.sendTo(this))));
        return replies;
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        Candidate candidate = request.candidate();
        members.campaignsAs(candidate.node().id());
        RecordedElection election = of(candidate.election());
        // While the store passes on each change, there is nothing to read: a grant holds only if the text is still
        // there.
        return election.<CampaignReply>changeKnown(
                        (record, moment) -> campaign(election, record, request, moment),
                        (reply, isWritten) -> store.hearsAtOnce()
                                && (reply instanceof Held || (reply instanceof Granted && store.comparesStoredText())))
                .thenApply(change -> {
                    if (change.reply() instanceof Granted granted) {
                        if (observed.isBehind(change.decided().seen())) {
                            // Its holder may lead at the newer server that was seen meanwhile.
                            return new NoAnswer(
                                    StoreProblem.UNREACHABLE,
                                    "a newer server was seen while an older one granted this");
                        }
                        election.noteLease(candidate, granted.token(), request.lease(), change.decidedAt());
                    }
                    return change.reply();
                })
                .exceptionally(NoAnswerException::reply);
    }

    /** Decides a campaign. Where this process can't know yet whether another leads elsewhere, it waits by itself: the record stays as it is for all others. */
    private Decision<CampaignReply> campaign(
            RecordedElection election, ElectionRecord record, CampaignRequest request, Moment moment) {
        Decision<CampaignReply> decision =
                comparable(rules.campaign(record, request, moment.store()), moment.isObserved());
        if (!(decision.reply() instanceof Granted)) {
            return decision;
        }
        Duration unwitnessed = unwitnessed(record, request, moment.store());
        if (!unwitnessed.isZero()) {
            return waiting(record, unwitnessed);
        }
        return election.isCompared(record, moment, request.lease()) ? decision : waiting(record, LOOK);
    }

    /**
     * Returns for how long a lease that had ended before this process saw this incarnation may go on elsewhere: its leader may have been led
     * away by a failover that was taken back since. Where connections prove that the store is the same, every lease of the record may go on that
     * is longer than this process has seen them.
     */
    private static Duration unwitnessed(ElectionRecord record, CampaignRequest request, StoreMoment moment) {
        ElectionRecord.Epoch epoch = record.epoch();
        if (epoch == null) {
            return Duration.ZERO;
        }
        Duration seenFor = moment.incarnation().unchangedFor();
        long left = Duration.ofMillis(Math.max(request.lease().toMillis(), epoch.length()))
                .minus(seenFor)
                .toMillis();
        boolean mayGoOn = moment.incarnation().id() == null
                || (epoch.closed() < epoch.token() && epoch.ends() < moment.millis() - seenFor.toMillis());
        return left > 0 && mayGoOn ? Duration.ofMillis(left) : Duration.ZERO;
    }

    private static Decision<CampaignReply> waiting(ElectionRecord record, Duration remaining) {
        return new Decision<>(record, new CampaignReply.Wait(remaining, OptionalInt.empty()), List.of());
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        RecordedElection election = of(request.candidate().election());
        // The leader knows the text that it has written last, and most likely nobody has written another one.
        return election.<RenewReply>changeKnown(
                        (record, moment) -> rules.renew(record, election.inItsTime(request, moment), moment.store()),
                        (reply, isWritten) -> isWritten)
                .thenApply(change -> {
                    if (change.reply() instanceof RenewReply.Renewed) {
                        election.noteLease(request.candidate(), request.token(), request.lease(), change.decidedAt());
                    }
                    return change.reply();
                })
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        RecordedElection election = of(request.candidate().election());
        return election.<ReleaseReply>changeKnown(
                        (record, moment) ->
                                rules.release(record, election.inItsTime(reserving(request), moment), moment.store()),
                        (reply, isWritten) -> isWritten)
                .thenApply(RecordedElection.Change::reply)
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public CompletionStage<EvictReply> evict(EvictRequest request) {
        return of(request.election())
                .<EvictReply>change((record, moment) -> rules.evict(record, reserving(request), moment.store()))
                .thenApply(RecordedElection.Change::reply)
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return of(election)
                .<ReadReply>change((record, moment) -> new Decision<>(
                        record,
                        new ReadReply.Read(rules.view(record, moment.store().millis())),
                        List.of()))
                .thenApply(RecordedElection.Change::reply)
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
        return of(election)
                .<AnnounceReply>change((record, moment) -> new Decision<>(
                        record, new AnnounceReply.Announced(), List.of(new StoreEvent.Received(message))))
                .thenApply(RecordedElection.Change::reply)
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public Subscription listen(String election, Consumer<StoreEvent> listener) {
        return of(election).listen(listener);
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public String location() {
        return prefix.isEmpty() ? store.location() : store.location() + ", key prefix '" + prefix + "'";
    }

    @Override
    public Optional<Eviction> eviction() {
        return Optional.of(this);
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return Optional.of(this);
    }

    @Override
    public Optional<LedgerStore> ledgerStore() {
        return store.keepsLedgers() ? Optional.of(ledgerStore) : Optional.empty();
    }

    @Override
    public Optional<MemberStore> memberStore() {
        return Optional.of(members);
    }

    @Override
    public int leadershipsKept() {
        return rules.remembered();
    }

    /**
     * Drops the incarnation from a grant in a store without a clock: nodes observe different times there, so the time of a grant can't be compared.
     */
    private static Decision<CampaignReply> comparable(Decision<CampaignReply> decision, boolean isObserved) {
        return isObserved && decision.reply() instanceof Granted granted
                ? new Decision<>(
                        decision.record(),
                        new Granted(granted.token(), granted.since(), granted.expiry()),
                        decision.events(),
                        decision.set())
                : decision;
    }

    private ReleaseRequest reserving(ReleaseRequest request) {
        return new ReleaseRequest(
                request.candidate(), request.grant(), request.lease(), reserving(request.how()), request.reason());
    }

    private EvictRequest reserving(EvictRequest request) {
        return new EvictRequest(request.election(), request.token(), reserving(request.how()));
    }

    /** Adds the message delay of the store to a reservation, unless its successor is known to be notified of changes at once. */
    private Abdication reserving(Abdication how) {
        Duration delay = store.traits().messageDelay();
        String successor = how.successor();
        return successor == null || how.reserve().isZero() || delay.isZero() || members.hearsAtOnce(successor)
                ? how
                : new Abdication(
                        how.drain(),
                        how.cooldown(),
                        successor,
                        Election.bounded(how.reserve().plus(delay)),
                        how.requestedBy());
    }

    private RecordedElection of(String election) {
        return elections.computeIfAbsent(election, name -> new RecordedElection(store, prefix + name, observed, wall));
    }
}
