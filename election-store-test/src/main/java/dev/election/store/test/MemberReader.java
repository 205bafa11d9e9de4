package dev.election.store.test;

import dev.election.members.LeaveReason;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.MemberEntry;
import dev.election.store.MemberEntry.Gone;
import dev.election.store.MemberEntry.Present;
import dev.election.store.RosterVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** A member that beats by hand, and keeps a copy of the members in the simplest way. */
public final class MemberReader {

    private final Function<BeatRequest, Beaten> store;
    private final String instance;
    private final Duration expiresAfter;
    private final Map<String, Present> present = new HashMap<>();
    private final Map<String, LeaveReason> reasons = new HashMap<>();
    private RosterVersion known = RosterVersion.NONE;

    MemberReader(Function<BeatRequest, Beaten> store, String instance, Duration expiresAfter) {
        this.store = store;
        this.instance = instance;
        this.expiresAfter = expiresAfter;
    }

    /** Beats, and again while there are further changes. Returns the number of requests. */
    public int beat(String text) {
        int requests = 1;
        while (beatOnce(text).hasMore()) {
            requests++;
        }
        return requests;
    }

    /** Beats once. */
    public Beaten beatOnce(String text) {
        Beaten reply = store.apply(new BeatRequest(instance, text, expiresAfter, known));
        if (reply.isAll()) {
            present.clear();
        }
        reply.changes().forEach(this::take);
        known = reply.version();
        return reply;
    }

    private void take(MemberEntry entry) {
        if (entry instanceof Present there) {
            present.put(there.instance(), there);
            reasons.remove(there.instance());
        } else {
            present.remove(entry.instance());
            reasons.put(entry.instance(), ((Gone) entry).reason());
        }
    }

    /** The version of the copy. */
    public RosterVersion known() {
        return known;
    }

    /** Returns the text of each member, by instance. */
    public Map<String, String> texts() {
        Map<String, String> texts = new HashMap<>();
        present.forEach((name, member) -> texts.put(name, member.text()));
        return texts;
    }

    /** Returns when a member joined. */
    public long joined(String member) {
        return Objects.requireNonNull(present.get(member), member).joined();
    }

    /** Returns why members are gone, by instance. */
    public Map<String, LeaveReason> reasons() {
        return Map.copyOf(reasons);
    }
}
