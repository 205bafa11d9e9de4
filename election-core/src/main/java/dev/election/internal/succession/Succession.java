package dev.election.internal.succession;

import dev.election.Preference;
import dev.election.Steering;
import dev.election.members.Downtime;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Successor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The order in which members should lead an election, the leader included. It puts eligible members first, then compares whether they are up, their
 * priorities, the preferences, and when they joined or, balanced, how many elections each leads. Equal copies of the members give equal orders.
 */
public final class Succession {

    private final String election;
    private final Steering steering;
    private final Balance balance;
    private final boolean comparesVersions;

    /** Members that take part in the election, candidates or drained. */
    private final List<Member> members;

    private final List<Member> eligible;
    private final Comparator<Member> byWorth;
    private final Comparator<Member> byPlace;

    private Succession(String election, Collection<Member> members, Steering steering, Balance balance) {
        this.election = election;
        this.steering = steering;
        this.balance = balance;
        this.members =
                members.stream().filter(member -> takesPart(member, election)).toList();
        this.eligible =
                this.members.stream().filter(member -> !isDrained(member)).toList();
        this.comparesVersions = Versions.areComparable(this.members);
        this.byWorth = byWorth(comparesVersions);
        this.byPlace = byWorth.thenComparingInt(member -> balance.placeOf(member.instance(), election))
                .thenComparing(this::byStart)
                .thenComparingLong(Member::order)
                .thenComparing(Member::instance);
    }

    private Succession(Succession same, Set<String> excluded) {
        this.election = same.election;
        this.steering = same.steering;
        this.balance = same.balance;
        this.members = same.members;
        this.eligible = same.eligible.stream()
                .filter(member -> !excluded.contains(member.instance()))
                .toList();
        this.comparesVersions = same.comparesVersions;
        this.byWorth = same.byWorth;
        this.byPlace = same.byPlace;
    }

    /** Returns the order of succession of an election that is not balanced. */
    public static Succession of(String election, Collection<Member> members, Steering steering) {
        return of(election, members, steering, Balance.NONE);
    }

    /**
     * Returns the order of succession of an election.
     *
     * @param members all members, whether they take part in the election or not
     * @param steering the preferences
     * @param balance the balanced order of all elections, by the same members
     */
    public static Succession of(String election, Collection<Member> members, Steering steering, Balance balance) {
        return new Succession(election, members, steering, balance);
    }

    String election() {
        return election;
    }

    /** Returns the same order, in which these instances count as no candidates. */
    public Succession without(Set<String> instances) {
        return new Succession(this, instances);
    }

    private static boolean takesPart(Member member, String election) {
        MemberRole role = member.roles().get(election);
        return role != null && (role != MemberRole.OBSERVER || isDrained(member));
    }

    private static boolean isDrained(Member member) {
        return member.drain().isPresent();
    }

    private static boolean isDown(Member member) {
        return member.downtime().isPresent();
    }

    /** Orders the leaders of like elections: first those that should rather hand over, by the criteria of preemption. */
    Comparator<Member> worstFirst(Collection<Member> leaders) {
        return byWorth(Versions.areComparable(leaders)).reversed();
    }

    /** Orders by whether they are up, then by worth. */
    private Comparator<Member> byWorth(boolean areComparable) {
        return Comparator.comparing(Succession::isDown)
                .thenComparing((one, other) -> byWorth(one, other, areComparable));
    }

    /** Compares by the criteria of preemption. The time of the start is none: each new process would be better than all before. */
    private int byWorth(Member one, Member other, boolean areComparable) {
        int difference = Integer.compare(priority(other), priority(one));
        if (difference == 0) {
            difference = Boolean.compare(isInZone(other), isInZone(one));
        }
        return difference == 0 && areComparable
                ? inPreferredOrder(Versions.compare(one.version(), other.version()))
                : difference;
    }

    /** Returns the eligible members before whom no other comes but by balance or by the times at which they started and joined. */
    List<Member> best() {
        Optional<Member> best = eligible.stream().min(byWorth);
        return eligible.stream()
                .filter(member -> byWorth.compare(member, best.orElseThrow()) == 0)
                .toList();
    }

    private int byStart(Member one, Member other) {
        return comparesVersions ? 0 : inPreferredOrder(one.started().compareTo(other.started()));
    }

    /** Applies the preference to a comparison that puts the older first. */
    private int inPreferredOrder(int oldFirst) {
        return switch (steering.prefer()) {
            case NONE -> 0;
            case OLDEST -> oldFirst;
            case NEWEST -> -oldFirst;
        };
    }

    private int priority(Member member) {
        return member.standing().map(standing -> standing.priorityIn(election)).orElse(0);
    }

    private boolean isInZone(Member member) {
        return !steering.preferZone().isEmpty() && steering.preferZone().equals(member.zone());
    }

    /** Whether members take part, and each of them is drained. */
    public boolean isEveryoneDrained() {
        return !members.isEmpty() && members.stream().allMatch(Succession::isDrained);
    }

    /** Whether candidates take part, and each of them is down. */
    public boolean isEveryoneDown() {
        return !eligible.isEmpty() && eligible.stream().allMatch(Succession::isDown);
    }

    /** Whether the candidates differ in more than the time at which they joined. */
    public boolean isSteered() {
        return steering.hasPreferences()
                || isBalanced()
                || eligible.stream().anyMatch(Succession::isDown)
                || eligible.stream().mapToInt(this::priority).distinct().count() > 1;
    }

    /** Whether some of the candidates are balanced. */
    public boolean isBalanced() {
        return balance.isOf(election);
    }

    /**
     * Returns how many others campaign before that instance when there is no leader. Empty if it does not campaign, or if the candidates do not
     * differ: then the queue of the store decides.
     */
    public OptionalInt placeOf(String instance) {
        return eligible.stream()
                .filter(member -> member.instance().equals(instance) && campaigns(member) && isSteered())
                .mapToInt(own -> (int) eligible.stream()
                        .filter(other -> byPlace.compare(other, own) < 0 && campaigns(other))
                        .count())
                .findFirst();
    }

    private boolean campaigns(Member member) {
        return member.roles().get(election) == MemberRole.CANDIDATE;
    }

    /** Returns the candidate that should lead rather than that instance; empty if there is none. */
    public Optional<Member> betterThan(String instance) {
        return members.stream()
                .filter(member -> member.instance().equals(instance))
                .findAny()
                .flatMap(leader -> first().filter(first -> !isDown(first))
                        .filter(first ->
                                !first.id().equals(leader.id()) && byWorth(first, leader, comparesVersions) < 0));
    }

    /**
     * Returns the first candidate that is up while that instance, the leader, is down. A candidate counts as up only if a check after it had learned of
     * the downtime found it up: it may not have noticed yet that what is down for the leader is down for it, too.
     */
    public Optional<Member> upInsteadOf(String instance) {
        return downtime(instance).flatMap(downtime -> eligible.stream()
                .filter(member -> !isDown(member))
                .filter(member -> member.standing()
                        .map(standing ->
                                downtime.since().equals(standing.upDespite().get(instance)))
                        .orElse(false))
                .min(byPlace));
    }

    /** Returns the downtime of that instance; empty if it is up. */
    public Optional<Downtime> downtime(String instance) {
        return members.stream()
                .filter(member -> member.instance().equals(instance))
                .findAny()
                .flatMap(Member::downtime);
    }

    /** Returns the equal candidate to which that instance, the leader, should hand over for balance; empty if there is none. */
    public Optional<Member> balancedInsteadOf(String instance) {
        return balance.insteadOf(instance, election).flatMap(this::eligible);
    }

    /** Returns the candidate with that instance; empty if there is none. */
    public Optional<Member> eligible(String instance) {
        return eligible.stream()
                .filter(member -> member.instance().equals(instance))
                .findFirst();
    }

    /** Returns the candidate to which that instance, the leader, should hand over without a request; empty if there is none. */
    public Optional<Member> successorOf(String instance) {
        Optional<Member> healthier = steering.abdicateWhenDown() ? upInsteadOf(instance) : Optional.empty();
        return healthier.or(() -> steering.preempt() ? betterThan(instance) : Optional.empty());
    }

    /** Returns the first candidate; empty if there is none. */
    Optional<Member> first() {
        return eligible.stream().min(byPlace);
    }

    /** Returns the candidate to which that instance, the leader, should hand over as soon as it may; empty if there is none. */
    public Optional<Member> insteadOf(String instance) {
        return balancedInsteadOf(instance).or(() -> successorOf(instance));
    }

    /** Returns the first candidate other than that instance that is up; empty if there is none. */
    public Optional<Member> other(String instance) {
        return eligible.stream()
                .filter(member -> !isDown(member))
                .filter(member -> !member.instance().equals(instance))
                .min(byPlace);
    }

    /** Returns all members of the order, with the reasons for their places. */
    public List<Successor> places() {
        return members.stream()
                .sorted(Comparator.comparing(Succession::isDrained).thenComparing(byPlace))
                .map(member -> new Successor(
                        member, eligible.contains(member) && (!isDown(member) || isEveryoneDown()), reason(member)))
                .toList();
    }

    public String reason(Member member) {
        Optional<String> drained = member.drain().map(drain -> "drained by " + drain.requestedBy());
        if (drained.isPresent()) {
            return drained.get();
        }
        List<String> reasons = new ArrayList<>();
        member.downtime().ifPresent(downtime -> reasons.add("down: " + downtime.reason()));
        if (priority(member) != 0) {
            reasons.add("priority " + priority(member));
        }
        if (isInZone(member)) {
            reasons.add("zone " + member.zone());
        }
        if (steering.prefer() != Preference.NONE) {
            reasons.add(comparesVersions ? "version " + member.version() : "started " + member.started());
        }
        if (balance.placeOf(member.instance(), election) < Integer.MAX_VALUE) {
            reasons.add("balanced");
        }
        long earlier =
                members.stream().filter(other -> other.order() < member.order()).count();
        reasons.add("joined as number " + (earlier + 1));
        return String.join(", ", reasons);
    }
}
