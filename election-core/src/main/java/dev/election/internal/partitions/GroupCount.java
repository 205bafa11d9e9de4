package dev.election.internal.partitions;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.engine.Loop;
import dev.election.internal.election.ElectionRunner;
import dev.election.internal.election.Hold;
import dev.election.internal.election.Identity;
import dev.election.internal.engine.EnginePart;
import dev.election.internal.members.KnownMembers;
import dev.election.internal.members.Membership;
import dev.election.internal.partitions.CountVerdict.Agreed;
import dev.election.internal.partitions.CountVerdict.Differing;
import dev.election.internal.partitions.CountVerdict.Missing;
import dev.election.internal.partitions.CountVerdict.Unread;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.recovery.Preparation;
import dev.election.internal.requests.EngineContext;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.StoreTraits;
import dev.election.support.PartitionName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The count of a group, which is a fact of the store: this process takes part in the group only if the store has the same one. Used on the loop only,
 * unless stated otherwise.
 */
public final class GroupCount implements EnginePart, Membership.LifecycleListener, Preparation {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** A fifth of a lease: a member that the store has lost registers again after a sixth, and its request takes some time. */
    private static final int REGISTERED_WITHIN = 5;

    /** The begin of what a member says that has read no count. */
    private static final String ASKING = "?";

    private final String group;
    private final String first;
    private final int count;
    private final boolean onePerProcess;
    private final LedgerStore ledger;
    private final Membership membership;
    private final EngineContext context;
    private final long lease;

    /** How long after a question others have answered it, if they are there. */
    private final long settle;

    private final Map<String, ElectionRunner> runners = new TreeMap<>();

    /** The asking members that were answered, by instance. */
    private final Map<String, String> answered = new HashMap<>();

    /** Written on the loop only. */
    private volatile CountVerdict verdict = new Unread();

    /** The start of the elections, {@code null} while this process is no member. */
    private @Nullable Identity start;

    private Heard heard = new Heard(null, Set.of());

    /** The alarm of the next reading. */
    private Loop.@Nullable Alarm alarm;

    /** The alarm of the next question to the members. */
    private Loop.@Nullable Alarm question;

    /** The reading under way, {@code null} if there is none. Only the latest one counts. */
    private @Nullable Object reading;

    private long readAt;

    /** The problem of the ledger that was logged, {@code null} if there is none. */
    private @Nullable StoreProblem problem;

    private int questions;

    /** When this process began to ask the members for the count. */
    private long askedAt;

    /** When the store was seen to have that question. */
    private @Nullable Long heardAt;

    /** The writing that waits for the members' answers, {@code null} if none does. */
    private @Nullable CountClaim waiting;

    /** The latest writing for a member that asks. */
    private @Nullable CountClaim repeated;

    /**
     * The group as the members describe it.
     *
     * @param leader the instance that leads the first partition
     * @param counts those that other members have read
     */
    private record Heard(@Nullable String leader, Set<String> counts) {}

    /**
     * Creates the count of a group.
     *
     * @param onePerProcess whether this process leads one partition at most
     */
    public GroupCount(
            String group,
            int count,
            boolean onePerProcess,
            LedgerStore ledgers,
            Membership membership,
            EngineContext context) {
        this.group = group;
        this.first = PartitionName.of(group, 0);
        this.count = count;
        this.onePerProcess = onePerProcess;
        this.ledger = ledgers.beside(PartitionName.LEDGER);
        this.membership = membership;
        this.context = context;
        this.lease = membership.own().lease().toNanos();
        StoreTraits traits = context.store().traits();
        long heardWithin = traits.settle().plus(traits.messageDelay()).toNanos();
        this.settle = Math.min(this.lease, heardWithin + this.lease / REGISTERED_WITHIN);
        membership.addLifecycleListener(this);
    }

    /** Returns the name of the group. On any thread. */
    String group() {
        return group;
    }

    /** Returns the count of this process. On any thread. */
    int count() {
        return count;
    }

    boolean isOnePerProcess() {
        return onePerProcess;
    }

    /** Returns how many members lead no partition and could lead one, now or when they have cooled down or agree on the count. On any thread. */
    long free() {
        return membership.known().all().stream().filter(this::isFree).count();
    }

    /** Whether the member takes part, leads nothing, and observes not all partitions, as one that is drained does. */
    private boolean isFree(Member member) {
        List<MemberRole> roles = IntStream.range(0, count)
                .mapToObj(index -> member.roles().get(PartitionName.of(group, index)))
                .toList();
        return member.capabilities().containsKey(PartitionName.CAPABILITY + group)
                && !roles.contains(MemberRole.LEADER)
                && !roles.stream().allMatch(MemberRole.OBSERVER::equals);
    }

    /** Returns the count that the group has instead. On any thread. */
    Optional<String> otherCount() {
        return verdict instanceof Differing differing ? Optional.of(differing.count()) : Optional.empty();
    }

    @Override
    public void add(ElectionRunner runner) {
        if (PartitionName.groupOf(runner.name()).equals(group)) {
            runners.put(runner.name(), runner);
            if (onePerProcess) {
                runner.leadOneOf(runners.values());
            }
        }
    }

    @Override
    public void start(Identity identity) {
        start = identity;
        verdict = new Unread();
        heard = new Heard(null, Set.of());
        answered.clear();
        say("");
        runners.values().forEach(runner -> runner.hold(Hold.COUNT));
        read();
    }

    @Override
    public void left() {
        start = null;
        reading = null;
        cancel();
    }

    private void say(String text) {
        membership.change(settings -> settings.capability(PartitionName.CAPABILITY + group, text));
    }

    private void read() {
        cancel();
        if (start != null) {
            Object mine = new Object();
            reading = mine;
            readAt = context.clock().nanos();
            ledger.read(first).thenAccept(reply -> context.loop().offerHere(() -> {
                if (mine.equals(reading)) {
                    reading = null;
                    read(reply);
                }
            }));
        }
    }

    private void read(LedgerStore.ReadReply reply) {
        if (reply instanceof LedgerStore.Contents contents) {
            answered();
            CountVerdict unused = judge(contents.entries().get(PartitionName.COUNT));
        } else if (reply instanceof NoAnswer failure) {
            failed(failure);
        }
        if (!(reply instanceof LedgerStore.Contents)) {
            readAfter(lease / 6);
        } else if (!(verdict instanceof Agreed)) {
            readAfter(lease);
        }
    }

    /** Logs why the ledger does not answer, once for each kind of problem. */
    void failed(NoAnswer failure) {
        if (failure.problem() != problem) {
            problem = failure.problem();
            log.warn(
                    "The count of the partitions of '{}' can't be {}: {}. Detail: {}. It is tried again{}",
                    group,
                    verdict instanceof Unread ? "read" : "confirmed",
                    failure.action(),
                    failure.detail(),
                    verdict instanceof Agreed ? "" : "; until then this process leads none of them");
        }
    }

    /** Logs that the ledger answers again. */
    void answered() {
        if (problem != null) {
            problem = null;
            log.info("The store answers about the count of the partitions of '{}' again", group);
        }
    }

    private void readAfter(long pause) {
        cancel();
        alarm = context.loop().alarm(readAt + pause, this::read);
    }

    private void cancel() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    /**
     * Takes what the store has. A member that knows the count does not forget it because the store has: the leader writes it again.
     *
     * @param stored the count in the store, {@code null} if it has none
     */
    CountVerdict judge(@Nullable String stored) {
        if (stored != null || !(verdict instanceof Agreed)) {
            become(CountVerdict.of(text(), stored, countsOfOthers()));
        }
        return verdict;
    }

    CountVerdict verdict() {
        return verdict;
    }

    String first() {
        return first;
    }

    String text() {
        return Integer.toString(count);
    }

    /** Returns the counts that other members have read, as the store says: a message must not be able to stop a group. */
    private Set<String> countsOfOthers() {
        return counts(membership.known().allConfirmed());
    }

    private Set<String> counts(Collection<Member> members) {
        Set<String> counts = new TreeSet<>();
        for (Member member : members) {
            String said = saidBy(member);
            if (!said.isEmpty() && !said.startsWith(ASKING)) {
                counts.add(said);
            }
        }
        return counts;
    }

    private String saidBy(Member member) {
        boolean isOwn = member.instance().equals(membership.own().instance());
        return isOwn ? "" : member.capabilities().getOrDefault(PartitionName.CAPABILITY + group, "");
    }

    private void become(CountVerdict next) {
        CountVerdict before = verdict;
        if (next.equals(before)) {
            return;
        }
        verdict = next;
        if (next instanceof Agreed) {
            say(text());
            takePart(runners.values());
        } else if (next instanceof Missing) {
            say(ASKING + ++questions);
            askedAt = context.clock().nanos();
            heardAt = null;
            ElectionRunner runner = runners.get(first);
            takePart(runner == null ? Set.of() : Set.of(runner));
        } else if (next instanceof Differing differing) {
            // Other members must not take the count that this process has read before for that of the group.
            say("");
            runners.values().forEach(runner -> runner.hold(Hold.COUNT));
            log.warn(
                    "This process leads no partition of '{}': it has {} of them, and the store has {}. Set the same"
                            + " count everywhere, or let the partitions of another count be a group with another name",
                    group,
                    count,
                    differing.count());
        }
        if (before instanceof Differing && !(next instanceof Differing)) {
            log.info("The store no longer has another count of the partitions of '{}'", group);
        }
    }

    private void takePart(Collection<ElectionRunner> released) {
        context.conversation().ask(batch -> released.forEach(runner -> runner.release(Hold.COUNT, batch)));
    }

    @Override
    public void seen() {
        if (start == null) {
            return;
        }
        KnownMembers known = membership.known();
        Long confirmedAt = known.confirmedAt();
        if (heardAt == null && confirmedAt != null && confirmedAt - askedAt >= 0) {
            heardAt = context.clock().nanos();
        }
        answer(known.all());
        String leader = known.leader(first).map(Member::instance).orElse(heard.leader());
        Heard now = new Heard(leader, counts(known.all()));
        boolean isNews = verdict instanceof Agreed
                ? !Objects.equals(leader, heard.leader())
                        && !membership.own().instance().equals(leader)
                : !now.equals(heard);
        heard = now;
        if (isNews) {
            readAfter(lease / 30);
        }
        lookForAnswers();
    }

    /** Writes the count again if a member asks for it, and this process leads the first partition. */
    private void answer(Collection<Member> members) {
        Map<String, String> asking = new HashMap<>();
        members.stream()
                .filter(member -> saidBy(member).startsWith(ASKING))
                .forEach(member -> asking.put(member.instance(), saidBy(member)));
        if (verdict instanceof Agreed && !answered.entrySet().containsAll(asking.entrySet())) {
            repeat();
        }
        answered.clear();
        answered.putAll(asking);
    }

    private void repeat() {
        HeldLease held = held();
        if (held != null && (repeated == null || repeated.isOver())) {
            repeated = claim(held.token());
            repeated.open();
        }
    }

    private @Nullable HeldLease held() {
        ElectionRunner runner = runners.get(first);
        return runner == null ? null : runner.heldLease();
    }

    /** Whether this process still leads the first partition under that token. */
    boolean leads(FencingToken token) {
        HeldLease held = held();
        return held != null && held.token().equals(token);
    }

    @Override
    public String election() {
        return first;
    }

    /** Lets a new leader of the first partition work only when the store has its count. One that has read it before works while the store confirms it. */
    @Override
    public CompletableFuture<Void> begin(FencingToken token) {
        CountClaim claim = claim(token);
        claim.open();
        return verdict instanceof Agreed ? CompletableFuture.completedFuture(null) : claim.done();
    }

    private CountClaim claim(FencingToken token) {
        return new CountClaim(token, this, ledger, context, lease / 6);
    }

    /** Lets a claim go on when all members have had time to tell the count that they know. */
    void askOthers(CountClaim claim) {
        waiting = claim;
        membership.confirmSoon();
        lookForAnswers();
    }

    private void lookForAnswers() {
        CountClaim claim = waiting;
        Long confirmedAt = membership.known().confirmedAt();
        if (claim == null || claim.isOver() || heardAt == null) {
            return;
        }
        long answered = heardAt + settle;
        if (confirmedAt == null || confirmedAt - answered < 0) {
            long soon = context.clock().nanos() + lease / 30;
            Loop.Alarm former = question;
            question = context.loop().alarm(answered - soon > 0 ? answered : soon, membership::confirmSoon);
            if (former != null) {
                former.cancel();
            }
        } else {
            waiting = null;
            claim.othersAnswered();
        }
    }
}
