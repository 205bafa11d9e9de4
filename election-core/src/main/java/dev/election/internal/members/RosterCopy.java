package dev.election.internal.members;

import dev.election.members.Drain;
import dev.election.members.LeaveReason;
import dev.election.members.Member;
import dev.election.members.MemberChanged;
import dev.election.members.MemberEvent;
import dev.election.members.MemberJoined;
import dev.election.members.MemberLeft;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.MemberEntry;
import dev.election.store.MemberEntry.Gone;
import dev.election.store.MemberEntry.Present;
import dev.election.store.MemberNews;
import dev.election.store.RosterVersion;
import dev.election.support.LogLimit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy of the members in one process. Without I/O, threads or a clock; times are of the monotonic clock.
 *
 * <p>Only replies to beats change the confirmed members. News from messages are shown above them, until a beat that was sent after the message is
 * answered. So a lost, late, repeated or forged message has an effect for one heartbeat at most.
 */
public final class RosterCopy {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Most news between two replies: a client that may publish can invent any number. */
    private static final int MOST_NEWS = 1000;

    private final String own;

    /** Time for which the members of a list that the store has lost are still shown: they register again with their next beat. */
    private final long grace;

    private RosterVersion version = RosterVersion.NONE;
    private boolean isComplete;

    /** When the last reply was taken, {@code null} before the first one. */
    private @Nullable Long takenAt;

    private Map<String, Known> confirmed = new HashMap<>();

    /** The confirmed members while they are read from nothing, in several replies; {@code null} while replies have changes only. */
    private @Nullable Map<String, Known> next;

    /** Members of a list that the store has lost. */
    private final Map<String, Former> former = new HashMap<>();

    private final Map<String, Heard> news = new HashMap<>();
    private final Map<String, LeaveReason> reasons = new HashMap<>();
    private Map<String, Known> shown = Map.of();
    private int newsSinceReply;
    private boolean isChanged;
    private final LogLimit unreadable = LogLimit.once();

    RosterCopy(String own, long grace) {
        this.own = own;
        this.grace = grace;
    }

    /** Returns an empty copy for the next instance of this process, after a stop. Its first events are the differences to what was shown here. */
    RosterCopy restarted(String instance) {
        RosterCopy next = new RosterCopy(instance, grace);
        next.shown = shown;
        next.reasons.put(own, LeaveReason.STOPPED);
        return next;
    }

    /**
     * A present member.
     *
     * @param number the number of its latest change
     */
    public record Known(Member member, long number) {

        /** Replaces the description by that of this process itself. */
        Known as(OwnMember self) {
            Member said = self.ordered(member.order()).member();
            return new Known(said.as(said.standing().map(standing -> standing.drained(member.drain()))), number);
        }

        /** Sets the order to drain this member, if there is one. */
        Known drainedBy(Map<String, Drain> drains) {
            Optional<Drain> drain = Optional.ofNullable(drains.get(member.id()));
            return member.drain().equals(drain)
                    ? this
                    : new Known(member.as(member.standing().map(standing -> standing.drained(drain))), number);
        }
    }

    /** The orders to drain nodes, by node id. From replies alone, since a client that may publish must not drain a node. */
    private Map<String, Drain> drains = new HashMap<>();

    /** The orders while the copy is read from nothing, {@code null} otherwise. */
    private @Nullable Map<String, Drain> nextDrains;

    /** The nodes whose order has expired since the last complete reply. */
    private final Set<String> expiredDrains = new HashSet<>();

    private Drains shownDrains = Drains.NONE;

    private record Former(Known known, long until) {}

    /** @param known {@code null} if the member has left */
    private record Heard(long number, @Nullable Known known, long at) {}

    RosterVersion version() {
        return version;
    }

    /** Returns the members from replies alone. */
    Collection<Known> confirmed() {
        return confirmed.values();
    }

    /** Returns the orders to drain nodes. */
    Drains drains() {
        return shownDrains;
    }

    /** Returns the members to show, news included. */
    Collection<Known> shown() {
        return shown.values();
    }

    /**
     * Whether a reply may be taken. Of beats that were under way at the same time only the first reply may: the store may have carried them out in
     * any order.
     *
     * @param asked the version since which the beat asked for changes
     */
    boolean awaits(RosterVersion asked, long sentAt) {
        return asked.equals(version) && (takenAt == null || sentAt - takenAt >= 0);
    }

    /**
     * Takes the reply to a beat that asked for the changes since {@link #version}.
     *
     * @param sentAt when that beat was sent
     */
    void take(Beaten reply, long sentAt, long now) {
        boolean isOtherList = !reply.version().roster().equals(version.roster());
        if (reply.isAll()) {
            next = new HashMap<>();
            nextDrains = new HashMap<>();
            if (isOtherList) {
                // The numbers of another list can't be compared: any change in this list is later.
                confirmed.forEach((instance, known) ->
                        former.put(instance, new Former(new Known(known.member(), 0), now + grace)));
                news.clear();
            }
        }
        isChanged = true;
        takenAt = now;
        Map<String, Known> changed = next != null ? next : confirmed;
        Map<String, Drain> changedDrains = nextDrains != null ? nextDrains : drains;
        reply.changes().forEach(entry -> {
            if (DrainMark.isInstance(entry.instance())) {
                takeDrain(entry, changedDrains);
            } else {
                take(entry, changed);
            }
        });
        version = reply.version();
        if (reply.hasMore()) {
            return;
        }
        confirmed = changed;
        next = null;
        drains = changedDrains;
        nextDrains = null;
        shownDrains = new Drains(version.roster(), drains, expiredDrains);
        expiredDrains.clear();
        isComplete = true;
        newsSinceReply = 0;
        news.values().removeIf(heard -> heard.at() - sentAt < 0 || heard.number() <= version.number());
        former.keySet().removeAll(confirmed.keySet());
    }

    private void take(MemberEntry entry, Map<String, Known> members) {
        Known known = known(entry);
        if (known != null) {
            members.put(entry.instance(), known);
        } else {
            members.remove(entry.instance());
            former.remove(entry.instance());
        }
    }

    private void takeDrain(MemberEntry entry, Map<String, Drain> changed) {
        String node = DrainMark.node(entry.instance());
        if (entry instanceof Present present) {
            DrainMark.read(present).ifPresent(drain -> changed.put(node, drain));
        } else {
            changed.remove(node);
            if (((Gone) entry).reason() == LeaveReason.EXPIRED) {
                expiredDrains.add(node);
            }
        }
    }

    /**
     * Takes news of one change.
     *
     * @return whether the copy is incomplete, so that a beat has to be sent
     */
    boolean hear(MemberNews.Changed changed, long now) {
        MemberEntry entry = changed.entry();
        if (!isComplete || !changed.roster().equals(version.roster())) {
            return true;
        }
        if (entry.number() <= version.number() || entry.instance().equals(own)) {
            return false;
        }
        if (newsSinceReply >= MOST_NEWS || DrainMark.isInstance(entry.instance())) {
            return true;
        }
        newsSinceReply++;
        long latest = news.values().stream().mapToLong(Heard::number).max().orElse(version.number());
        Heard before = news.get(entry.instance());
        if (before == null || before.number() < entry.number()) {
            news.put(entry.instance(), new Heard(entry.number(), known(entry), now));
            isChanged = true;
        }
        return entry.number() > latest + 1;
    }

    private @Nullable Known known(MemberEntry entry) {
        if (entry instanceof Gone gone) {
            reasons.put(gone.instance(), gone.reason());
            return null;
        }
        Member member = MemberText.read((Present) entry).orElse(null);
        if (member != null) {
            reasons.remove(entry.instance());
            return new Known(member, entry.number());
        }
        if (unreadable.begins(this)) {
            log.warn("The record of a member can't be read and is skipped. Check which clients may write the members'"
                    + " keys. Further such records are not logged");
        }
        return null;
    }

    /** Updates the members to show, and returns the changes. */
    List<MemberEvent> show(long now) {
        isChanged |= former.values().removeIf(left -> now - left.until() >= 0);
        if (!isComplete || !isChanged) {
            return List.of();
        }
        isChanged = false;
        Map<String, Known> after = new HashMap<>();
        former.forEach((instance, left) -> after.put(instance, left.known()));
        after.putAll(confirmed);
        news.forEach((instance, heard) -> {
            if (heard.known() != null) {
                after.put(instance, heard.known());
            } else {
                after.remove(instance);
            }
        });
        after.replaceAll((instance, known) -> known.drainedBy(shownDrains.byNode()));
        List<MemberEvent> events = differences(shown, after);
        shown = after;
        reasons.keySet().retainAll(stillOfUse());
        return events;
    }

    /** Returns the instances whose reason to leave may still be needed, such as when a reply confirms news. */
    private Set<String> stillOfUse() {
        Set<String> instances = new HashSet<>(confirmed.keySet());
        instances.addAll(news.keySet());
        return instances;
    }

    private List<MemberEvent> differences(Map<String, Known> before, Map<String, Known> after) {
        List<MemberEvent> events = new ArrayList<>();
        before.forEach((instance, known) -> {
            if (!after.containsKey(instance)) {
                events.add(new MemberLeft(known.member(), reasons.getOrDefault(instance, LeaveReason.EXPIRED)));
            }
        });
        after.forEach((instance, known) -> {
            Known former = before.get(instance);
            if (former == null) {
                events.add(new MemberJoined(known.member()));
            } else if (!former.member().equals(known.member())) {
                events.add(new MemberChanged(known.member(), former.member()));
            }
        });
        return events;
    }
}
