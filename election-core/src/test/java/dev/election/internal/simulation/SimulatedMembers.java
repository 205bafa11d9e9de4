package dev.election.internal.simulation;

import dev.election.internal.members.DrainMark;
import dev.election.internal.members.KnownMembers;
import dev.election.internal.members.MemberBounds;
import dev.election.internal.members.MemberText;
import dev.election.internal.members.Membership;
import dev.election.internal.members.OwnMember;
import dev.election.members.LeaveReason;
import dev.election.members.Member;
import dev.election.members.MemberEvent;
import dev.election.members.MemberLeft;
import dev.election.record.AtomicMembers;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.MemberEntry;
import dev.election.store.MemberNews;
import dev.election.store.RosterVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The members of a simulated world: what the store holds of them, and whether what nodes show is true. A node says when the beat was sent that
 * confirmed its copy. What it shows of another process must be what the store held at some time since then, with two exceptions: messages may be
 * forged, and members of a list that was lost are shown for a while. Once it is calm, {@link MemberBounds} hold, and each shows itself as it is.
 */
final class SimulatedMembers {

    private static final Pattern CANDIDATE =
            Pattern.compile("^role\\." + SimulatedNode.ELECTION + "=(LEADER|CANDIDATE)$", Pattern.MULTILINE);

    /** Clocks of nodes are at most one percent off. */
    private static final double DRIFT = 0.01;

    private final Simulation world;

    /** By chances of their own, so that the elections of a seed go the same way with members as without. */
    final Random chances;

    /** Of a store that carries each request out at once; {@code null} where it changes single texts. */
    private final @Nullable AtomicMembers atomic;

    private final long expiryMillis;
    private final Map<String, Truth> truths = new TreeMap<>();
    private final List<Copy> copies = new ArrayList<>();
    private Map<String, Truth> saved = Map.of();

    /** The nodes that the store holds an order for. */
    private Set<String> drained = new HashSet<>();

    private Set<String> savedDrained = Set.of();
    private Runnable restore = () -> {};
    private long lostAt = -1;
    private long calmAt = Long.MAX_VALUE;
    private int described;
    private int pages = 1;
    private long seen;

    SimulatedMembers(Simulation world, long seed) {
        this.world = world;
        this.chances = new Random(31 * seed + 7);
        this.expiryMillis = Membership.expiry(world.lease).toMillis();
        this.atomic = world.records() == null
                ? new AtomicMembers(world::storeMillis, news -> world.publish(news, false), limits())
                : null;
    }

    /** Those of Redis, or so small that a copy takes several replies and who has left is soon forgotten. */
    private AtomicMembers.Limits limits() {
        if (chances.nextInt(3) != 0) {
            return AtomicMembers.Limits.OF_REDIS;
        }
        pages = 8;
        return new AtomicMembers.Limits(100, 1 + chances.nextInt(3), 150, 2, 2 * world.lease.toMillis());
    }

    /** How many members nodes have shown that were compared. */
    long seen() {
        return seen;
    }

    Beaten beat(BeatRequest request) {
        note(request);
        return Objects.requireNonNull(atomic).beat(request);
    }

    private void note(BeatRequest request) {
        expire();
        long latest = world.storeMillis() + expiryMillis;
        truths.values().forEach(truth -> {
            truth.end = Math.min(truth.end, latest);
            truth.stored = truth.text();
        });
        if (!order(request.instance(), true)) {
            registered(request.instance(), request.text());
        }
    }

    /** Whether that is the order to drain a node, which is given or revoked. */
    private boolean order(String instance, boolean isGiven) {
        if (!DrainMark.isInstance(instance)) {
            return false;
        }
        if (isGiven) {
            drained.add(DrainMark.node(instance));
        } else {
            drained.remove(DrainMark.node(instance));
        }
        return true;
    }

    /** By what the store holds. */
    boolean isDrained(String node) {
        return drained.contains(node);
    }

    void leave(String instance) {
        expire();
        if (!order(instance, false)) {
            removed(instance);
        }
        Objects.requireNonNull(atomic).leave(instance);
    }

    /** The text of a member was changed, or deleted, in a store of texts. */
    void changed(String instance, @Nullable String stored) {
        expire();
        if (order(instance, stored != null)) {
            return;
        }
        if (stored == null) {
            removed(instance);
        } else {
            String[] lines = stored.split("\n", 5);
            registered(instance, lines[4]);
            long until = Long.parseLong(lines[2].substring("until=".length()));
            if (until > 0) {
                // What was read long ago is written with an end that is near.
                truths.get(instance).end = until;
            }
        }
    }

    private void registered(String instance, String text) {
        Truth truth = truths.computeIfAbsent(instance, name -> new Truth());
        if (isObserved(truth)) {
            truth.observedAt = world.now();
        }
        truth.become(text, world.now());
        truth.stored = text;
        truth.beats.add(world.now());
        truth.heldSince = world.now();
        truth.end = world.storeMillis() + expiryMillis;
    }

    private void removed(String instance) {
        Truth truth = truths.get(instance);
        if (truth != null) {
            truth.become(null, world.now());
            truth.stored = null;
        }
    }

    /** By the store's clock; where it has none, or its clock has gone back, each node decides. */
    private void expire() {
        for (Truth truth : truths.values()) {
            if (truth.text() != null && !isObserved(truth) && truth.end < world.storeMillis()) {
                truth.become(null, world.now());
            }
        }
    }

    private boolean isObserved(Truth truth) {
        SimulatedRecords records = world.records();
        return records != null && (!records.hasClock() || truth.end > world.storeMillis() + expiryMillis);
    }

    void forget() {
        expire();
        if (atomic != null) {
            copies.forEach(copy -> copy.keep(truths.keySet()));
            atomic.forget();
        } else {
            // It looks as if all had left.
            copies.forEach(copy -> copy.kept.clear());
        }
        truths.values().forEach(truth -> truth.comeBack(null, world.now()));
        drained.clear();
        lostAt = world.now();
    }

    void save() {
        saved = new HashMap<>();
        truths.forEach((instance, truth) -> saved.put(instance, truth.copy()));
        savedDrained = Set.copyOf(drained);
        restore = atomic == null ? () -> {} : atomic.saved();
    }

    /** What was saved has come back in another incarnation of the store. */
    void restore() {
        SimulatedRecords records = world.records();
        Set<String> added = new HashSet<>(truths.keySet());
        added.removeIf(instance -> saved.containsKey(instance) && saved.get(instance).stored != null);
        if (records == null || records.tellsIncarnation()) {
            copies.forEach(copy -> copy.keep(added));
        }
        restore.run();
        truths.forEach((instance, truth) -> truth.comeBack(saved.get(instance), world.now()));
        drained = new HashSet<>(savedDrained);
        lostAt = world.now();
        expire();
    }

    /** Members may expire before they can beat. */
    void clockChanged() {
        copies.forEach(copy -> copy.kept.clear());
        expire();
    }

    /** Some say something else of themselves, and somebody publishes what is not true. */
    void disturb(long end) {
        for (int i = 0; i < 6; i++) {
            world.at((long) (chances.nextDouble() * end), "description", () -> {
                Copy copy = copies.isEmpty() ? null : copies.get(chances.nextInt(copies.size()));
                if (copy != null) {
                    String value = Integer.toString(described++);
                    copy.membership.change(settings -> settings.metadata("described", value));
                }
            });
        }
        if (atomic != null) {
            for (int i = 0; i < 3; i++) {
                world.at((long) (chances.nextDouble() * end), "forged news", () -> world.publish(forged(atomic), true));
            }
        }
    }

    private MemberNews forged(AtomicMembers members) {
        long number = members.number() + (chances.nextBoolean() ? 1 : chances.nextLong(Long.MAX_VALUE / 2));
        List<String> known = List.copyOf(truths.keySet());
        MemberEntry entry = known.isEmpty() || chances.nextBoolean()
                ? new MemberEntry.Present("invented", number, 1, "id=invented\n")
                : new MemberEntry.Gone(known.get(chances.nextInt(known.size())), number, LeaveReason.EXPIRED);
        world.note("somebody publishes " + entry);
        return new MemberNews.Changed(chances.nextInt(4) == 0 ? "another" : members.name(), entry);
    }

    void calmDown() {
        calmAt = world.now();
    }

    /** A process that keeps a copy. */
    Copy open(Membership membership, double rate, String node) {
        Copy copy = new Copy(membership, rate, node);
        copies.add(copy);
        return copy;
    }

    void close(Copy copy) {
        copies.remove(copy);
    }

    /** After every event. */
    void check() {
        expire();
        copies.forEach(Copy::check);
        if (world.now() > calmAt) {
            copies.forEach(Copy::checkCalm);
        }
    }

    private long leases(double number) {
        return (long) (number * world.lease.toNanos());
    }

    /** By a clock that runs slow. */
    private long longest(double leases) {
        return leases(leases / (1 - DRIFT));
    }

    /** By a clock that runs fast. */
    private long shortest(double leases) {
        return leases(leases / (1 + DRIFT));
    }

    /** How long a beat takes at most once it is calm: a store of texts is asked several times, and a copy may take several replies. */
    private long answer() {
        return (atomic == null ? 8 : 2 * pages) * world.weather.slowest() + leases(0.01);
    }

    /** A moment from which on the store holds that of a process, {@code null} for nothing. */
    private record State(long since, @Nullable String text) {}

    /** What the store holds and held of one process. */
    private static final class Truth {

        private final List<State> states = new ArrayList<>();

        /** By the store's clock. */
        private long end;

        /** The latest moment at which a text was replaced that each node judged by what it observes of it. */
        private long observedAt = Long.MIN_VALUE;

        private final List<Long> beats = new ArrayList<>();

        /** Also if that is overdue. */
        private @Nullable String stored;

        /** Since when it does: an old one may have come back. */
        private long heldSince;

        @Nullable
        String text() {
            return states.get(states.size() - 1).text();
        }

        void become(@Nullable String text, long now) {
            if (states.isEmpty()) {
                states.add(new State(Long.MIN_VALUE, null));
            }
            if (!Objects.equals(text(), text)) {
                states.add(new State(now, text));
            }
        }

        Truth copy() {
            Truth copy = new Truth();
            copy.states.addAll(states);
            copy.end = end;
            copy.stored = stored;
            copy.heldSince = heldSince;
            return copy;
        }

        void comeBack(@Nullable Truth then, long now) {
            stored = then == null ? null : then.stored;
            become(stored, now);
            end = then == null ? 0 : then.end;
            heldSince = now;
        }

        boolean hasBeaten(long after, long before) {
            return beats.stream().anyMatch(beat -> beat >= after && beat <= before);
        }

        boolean wasRemovedAfter(long time) {
            return states.stream().anyMatch(state -> state.text() == null && state.since() > time);
        }

        boolean wasCandidate(long since) {
            return wasAny(text -> text != null && CANDIDATE.matcher(text).find(), since);
        }

        boolean wasEver(String text) {
            return states.stream().anyMatch(state -> text.equals(state.text()));
        }

        /** Whether it was that at some time since then. */
        boolean was(@Nullable String text, long since) {
            return wasAny(held -> Objects.equals(held, text), since);
        }

        private boolean wasAny(Predicate<@Nullable String> what, long since) {
            for (int i = states.size() - 1; i >= 0; i--) {
                if (what.test(states.get(i).text())) {
                    return true;
                }
                if (states.get(i).since() < since) {
                    return false;
                }
            }
            return false;
        }
    }

    /** The first copy that certainly had seen a beat. */
    private record Sight(long heldSince, long takenAt) {}

    /** What one process shows. */
    final class Copy {

        private final Membership membership;
        private final double rate;
        private final String node;

        private String instance = "";
        private long bornAt;
        private KnownMembers known = KnownMembers.NONE;
        private Set<String> shown = Set.of();
        private RosterVersion version = RosterVersion.NONE;

        /** When the beat was sent that confirmed what is shown, -1 before the first. */
        private long sentAt = -1;

        private long takenAt;
        private long forgedAt = -1;

        /** The last two that were compared and were equal: the member that this node showed as itself, and the member that it was. */
        private @Nullable Member equalSelf;

        private @Nullable OwnMember equalOwn;

        /** Until when members of a lost list may be shown. */
        private long graceUntil = -1;

        /** Members of a lost list that have to be shown until then. */
        private final Set<String> kept = new HashSet<>();

        private long keptUntil;

        private final Map<String, Sight> sights = new HashMap<>();

        /** By what the listener was told, also before the process stopped and started again. */
        private final Map<String, Member> told = new HashMap<>();

        private Copy(Membership membership, double rate, String node) {
            this.membership = membership;
            this.rate = rate;
            this.node = node;
            membership.addListener(this::hear);
        }

        private void hear(MemberEvent event) {
            if (event instanceof MemberLeft) {
                told.remove(event.member().instance());
            } else {
                told.put(event.member().instance(), event.member());
            }
        }

        void hearForged() {
            forgedAt = world.now();
        }

        /** What a beat asks for never goes back, unless the copy is begun anew. */
        void asks(RosterVersion asked) {
            boolean isBack = asked.begun() < version.begun()
                    || (asked.begun() == version.begun() && asked.number() < version.number());
            if (isBack && asked.roster().equals(version.roster())) {
                throw violation("The version went back from " + version + " to " + asked);
            }
            version = asked;
        }

        private void begin() {
            instance = membership.own().instance();
            bornAt = world.now();
            known = KnownMembers.NONE;
            shown = Set.of();
            version = RosterVersion.NONE;
            sentAt = -1;
            graceUntil = -1;
            kept.clear();
            sights.clear();
        }

        private void keep(Set<String> members) {
            kept.clear();
            keptUntil = world.now() + shortest(MemberBounds.EXPIRY);
            members.stream()
                    .filter(member -> sentAt >= 0 && !truths.get(member).was(null, sentAt))
                    .forEach(kept::add);
        }

        private void check() {
            if (!instance.equals(membership.own().instance())) {
                begin();
            }
            KnownMembers present = membership.known();
            if (present != known) {
                known = present;
                checkKnown();
            }
        }

        private void checkKnown() {
            Long confirmedAt = known.confirmedAt();
            Map<String, String> texts = new HashMap<>();
            known.all().forEach(member -> texts.put(member.instance(), MemberText.writeWithRoles(member)));
            shown = texts.keySet();
            if (confirmedAt == null) {
                if (!shown.isEmpty()) {
                    throw violation("Shows members before its copy is complete");
                }
                return;
            }
            confirm((long) (confirmedAt / rate));
            if (!shown.contains(instance)) {
                throw violation("Does not show itself");
            }
            if (!told.keySet().equals(shown) || !told.values().containsAll(others())) {
                throw violation("Listeners were told something else");
            }
            if (forgedAt < sentAt) {
                Set<String> all = new HashSet<>(truths.keySet());
                all.addAll(shown);
                all.remove(instance);
                all.forEach(member -> compare(member, texts.get(member)));
                checkKept();
            }
        }

        /**
         * When the process begins to lead: since its start its copy was complete, and the store has held so many candidates. It knows its own role
         * before the store does.
         */
        void checkCandidates(int minimum) {
            Set<String> candidates = new TreeSet<>(Set.of(node));
            truths.forEach((member, truth) -> {
                if (truth.wasCandidate(bornAt)) {
                    candidates.add(member.substring(0, member.lastIndexOf('-')));
                }
            });
            if (sentAt < 0) {
                throw violation("Leads before its copy is complete");
            }
            if (candidates.size() < minimum) {
                throw violation("Leads before there are " + minimum + " candidates: " + candidates);
            }
        }

        /** Of itself it shows what the store may not hold yet. */
        private List<Member> others() {
            return known.where(member -> !member.instance().equals(instance));
        }

        private void confirm(long at) {
            if (at == sentAt) {
                return;
            }
            if (at < sentAt) {
                throw violation("Its copy is older than before");
            }
            if (sentAt >= 0 && lostAt >= sentAt) {
                graceUntil = world.now() + longest(MemberBounds.EXPIRY);
            }
            sentAt = at;
            takenAt = world.now();
            truths.forEach((member, truth) -> {
                Sight sight = sights.get(member);
                if (truth.heldSince <= at && (sight == null || sight.heldSince() != truth.heldSince)) {
                    sights.put(member, new Sight(truth.heldSince, takenAt));
                }
            });
        }

        private void compare(String member, @Nullable String text) {
            Truth truth = truths.get(member);
            if (truth == null) {
                throw violation("Shows " + member + ", which the store never held");
            }
            seen++;
            if (text == null) {
                boolean wasObserved = isObserved(truth) || truth.observedAt >= sentAt;
                boolean mayBeOverdue = wasObserved && !truth.hasBeaten(sentAt - shortest(MemberBounds.EXPIRY), sentAt);
                // Who does not notice that it is another store takes an old beat for one that it has seen.
                boolean mayBeOld = lostAt >= 0
                        && wasObserved
                        && !Objects.requireNonNull(world.records()).tellsIncarnation()
                        && !truth.hasBeaten(lostAt, sentAt);
                // Without the store's clock nobody can order two reads that overlap: who was missing in one is shown
                // with the next beat.
                boolean mayBeOvertaken = world.records() != null
                        && !world.records().hasClock()
                        && truth.was(null, sentAt - longest(MemberBounds.SEEN));
                if (!mayBeOverdue && !mayBeOld && !mayBeOvertaken && !truth.was(null, sentAt)) {
                    throw violation("Does not show " + member);
                }
            } else {
                Sight sight = sights.get(member);
                boolean isOverdue = isObserved(truth)
                        && sight != null
                        && sight.heldSince() == truth.heldSince
                        // The reply after a restart may have been overtaken by one from before.
                        && sentAt - sight.takenAt() > longest(MemberBounds.EXPIRY + MemberBounds.SEEN);
                boolean isOfLostList = takenAt <= graceUntil && truth.wasEver(text);
                if (!isOfLostList && (isOverdue || !truth.was(text, sentAt))) {
                    throw violation("Shows " + member + " as it no longer is: " + text);
                }
            }
        }

        private void checkKept() {
            for (String member : kept) {
                if (world.now() <= keptUntil
                        && !truths.get(member).wasRemovedAfter(lostAt)
                        && !shown.contains(member)) {
                    throw violation("Does not show " + member + ", which the store has lost");
                }
            }
        }

        /** Whether the process is there, and should be seen by now. */
        private long hasBeenCalmFor() {
            return world.now() - Math.max(calmAt, bornAt);
        }

        private void checkCalm() {
            Member self = known.instance(instance);
            OwnMember own = membership.own();
            // Both are immutable, so a pair that was equal is not compared again.
            if (self != null && (self != equalSelf || own != equalOwn)) {
                if (!MemberText.writeWithRoles(self).equals(MemberText.writeWithRoles(own.member()))) {
                    throw violation("Shows itself as it no longer is: " + self);
                }
                equalSelf = self;
                equalOwn = own;
            }
            long calm = hasBeenCalmFor();
            long lostFor = lostAt < 0 ? calm : world.now() - lostAt;
            if (calm > longest(MemberBounds.RETRY) + answer() && lostFor > longest(MemberBounds.HEARTBEAT) + answer()) {
                Truth registered = truths.get(instance);
                if (registered == null || registered.text() == null) {
                    throw violation("Is not registered");
                }
            }
            if (calm > longest(MemberBounds.SEEN) + answer()
                    && (sentAt < 0 || world.now() - sentAt > longest(MemberBounds.SEEN) + answer())) {
                throw violation("Has not confirmed its copy");
            }
            if (calm > longest(MemberBounds.RETRY + MemberBounds.SEEN) + 2 * answer()
                    && lostFor > longest(MemberBounds.HEARTBEAT + MemberBounds.SEEN) + 2 * answer()) {
                copies.stream()
                        .filter(other -> other.hasBeenCalmFor() >= calm && !shown.contains(other.instance))
                        .findAny()
                        .ifPresent(missing -> {
                            throw violation("Does not show " + missing.instance);
                        });
            }
            if (world.now() - calmAt > longest(gone()) + answer()) {
                shown.stream()
                        .filter(member -> copies.stream().noneMatch(other -> other.instance.equals(member)))
                        .findAny()
                        .ifPresent(dead -> {
                            throw violation("Still shows " + dead);
                        });
            }
        }

        private Simulation.Violation violation(String what) {
            return world.violation(node + " (" + instance + "): " + what);
        }
    }

    /** How many leases after it is calm each process shows all that are there. */
    double shown() {
        double overlap = world.records() != null && !world.records().hasClock() ? MemberBounds.SEEN : 0;
        long latest = longest(MemberBounds.HEARTBEAT + MemberBounds.SEEN + overlap) + 2 * answer();
        return (double) latest / world.lease.toNanos();
    }

    /** When no process is shown any more that was killed before it was calm. */
    double gone() {
        if (atomic == null) {
            return MemberBounds.GONE_WITHOUT_CLOCK;
        }
        return lostAt < 0 ? MemberBounds.GONE : MemberBounds.GONE_AFTER_LOSS;
    }
}
