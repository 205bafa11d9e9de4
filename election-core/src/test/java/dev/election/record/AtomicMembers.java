package dev.election.record;

import dev.election.members.LeaveReason;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.MemberEntry;
import dev.election.store.MemberEntry.Gone;
import dev.election.store.MemberEntry.Present;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.RosterVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The members of a server that carries each request out at once: the rules of the scripts of Redis in Java. */
public final class AtomicMembers {

    private static final long LONGEST = 32 * 86_400_000L;

    private final LongSupplier millis;
    private final Consumer<MemberNews> publish;
    private final Limits limits;

    private Roster roster = new Roster();
    private String incarnation = "1";
    private long now;

    public AtomicMembers(LongSupplier millis, Consumer<MemberNews> publish) {
        this(millis, publish, Limits.OF_REDIS);
    }

    public AtomicMembers(LongSupplier millis, Consumer<MemberNews> publish, Limits limits) {
        this.millis = millis;
        this.publish = publish;
        this.limits = limits;
    }

    /**
     * How much the scripts do at once and remember.
     *
     * @param removals how many members that have expired, or have been gone for long, are removed at once
     * @param changes how many a reply has
     * @param bytes of the texts in a reply
     * @param gone how many that are gone are remembered
     * @param goneFor for how many milliseconds they are
     */
    public record Limits(int removals, int changes, int bytes, int gone, long goneFor) {
        public static final Limits OF_REDIS = new Limits(100, 200, 16_384, 1000, 600_000);
    }

    /** What the keys hold. */
    static final class Roster {

        @Nullable
        String id;

        @Nullable
        Long number;

        long floor;
        final Map<String, Said> texts = new TreeMap<>();
        final Map<String, Long> ends = new TreeMap<>();
        final Map<String, Long> versions = new TreeMap<>();
        final Map<String, Long> gone = new TreeMap<>();

        Roster copy() {
            Roster copy = new Roster();
            copy.id = id;
            copy.number = number;
            copy.floor = floor;
            copy.texts.putAll(texts);
            copy.ends.putAll(ends);
            copy.versions.putAll(versions);
            copy.gone.putAll(gone);
            return copy;
        }
    }

    /** What the key of the texts has of a member. */
    sealed interface Said {

        /** As the key holds it. */
        String text();
    }

    record Here(long joined, long lasts, String said) implements Said {
        @Override
        public String text() {
            return joined + " " + lasts + "\n" + said;
        }
    }

    record Left(LeaveReason why, long version) implements Said {
        @Override
        public String text() {
            return why + " " + version;
        }
    }

    public Beaten beat(BeatRequest request) {
        open(request.instance());
        removeOverdue();
        correctEnds();
        register(request);
        forgetOld();
        RosterVersion known = request.known();
        boolean isAll = !known.roster().equals(name())
                || known.number() > number()
                || Math.max(known.number(), known.begun()) < roster.floor;
        return reply(isAll, isAll ? 0 : known.number(), isAll ? number() : known.begun());
    }

    public void leave(String instance) {
        if (roster.ends.containsKey(instance)) {
            open(instance);
            remove(instance, LeaveReason.STOPPED);
        }
    }

    private void open(String instance) {
        now = millis.getAsLong();
        Long stored = roster.number;
        long latest = roster.versions.values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        roster.number = Math.max(stored == null ? 0 : stored, latest);
        if (roster.id == null || stored == null) {
            roster.id = now + "-" + instance;
        }
    }

    /** Of the latest change. */
    public long number() {
        return roster.number == null ? 0 : roster.number;
    }

    /** The list that readers have a version of. */
    public String name() {
        return roster.id + ":" + incarnation;
    }

    private long noteChange(MemberEntry entry) {
        roster.number = entry.number();
        roster.versions.put(entry.instance(), entry.number());
        publish.accept(new MemberNews.Changed(name(), entry));
        return entry.number();
    }

    private void remove(String instance, LeaveReason why) {
        roster.ends.remove(instance);
        roster.gone.put(instance, now);
        long version = noteChange(new Gone(instance, number() + 1, why));
        roster.texts.put(instance, new Left(why, version));
    }

    private void removeOverdue() {
        inOrder(roster.ends, end -> end < now)
                .limit(limits.removals())
                .toList()
                .forEach(member -> remove(member, LeaveReason.EXPIRED));
    }

    private void correctEnds() {
        List<String> all = inOrder(roster.ends, end -> true).toList();
        for (int i = all.size() - 1; i >= Math.max(0, all.size() - limits.removals()); i--) {
            String member = all.get(i);
            long lasts = roster.texts.get(member) instanceof Here here ? Math.min(here.lasts(), LONGEST) : 0;
            if (roster.ends.get(member) > now + lasts) {
                roster.ends.put(member, now + lasts);
            } else if (!member.startsWith(MemberStore.ORDER)) {
                return;
            }
        }
    }

    private void register(BeatRequest request) {
        String instance = request.instance();
        long lasts = request.expiresAfter().toMillis();
        roster.ends.put(instance, now + lasts);
        Said stored = roster.texts.get(instance);
        if (stored instanceof Here here) {
            Here next = new Here(here.joined(), lasts, request.text());
            if (!here.equals(next) || !roster.versions.containsKey(instance)) {
                say(instance, next);
            }
        } else {
            roster.gone.remove(instance);
            say(instance, new Here(number() + 1, lasts, request.text()));
        }
    }

    private void say(String instance, Here here) {
        roster.texts.put(instance, here);
        noteChange(new Present(instance, number() + 1, here.joined(), here.said()));
    }

    private void forgetOld() {
        inOrder(roster.gone, since -> since <= now - limits.goneFor())
                .limit(limits.removals())
                .toList()
                .forEach(this::forget);
        int excess = Math.min(roster.gone.size() - limits.gone(), limits.removals());
        if (excess > 0) {
            inOrder(roster.gone, since -> true).limit(excess).toList().forEach(this::forget);
        }
    }

    private void forget(String member) {
        long version = roster.texts.get(member) instanceof Left left ? left.version() : number();
        roster.floor = Math.max(roster.floor, version);
        roster.gone.remove(member);
        roster.versions.remove(member);
        roster.texts.remove(member);
    }

    private Beaten reply(boolean isAll, long from, long begun) {
        List<MemberEntry> entries = new ArrayList<>();
        List<String> found = inOrder(roster.versions, version -> version > from)
                .limit(limits.changes())
                .toList();
        long reached = found.size() < limits.changes() ? Math.max(from, number()) : from;
        long taken = from;
        int bytes = 0;
        for (String member : found) {
            long version = roster.versions.get(member);
            Said stored = roster.texts.get(member);
            bytes += stored == null ? LeaveReason.EXPIRED.name().length() : bytes(stored.text());
            if (bytes > limits.bytes() && taken > from) {
                reached = taken;
                break;
            }
            taken = version;
            reached = Math.max(reached, taken);
            if (stored instanceof Here here) {
                entries.add(new Present(member, version, here.joined(), here.said()));
            } else if (version > begun) {
                entries.add(new Gone(member, version, stored instanceof Left left ? left.why() : LeaveReason.EXPIRED));
            }
        }
        return new Beaten(new RosterVersion(name(), reached, begun), isAll, reached < number(), entries);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** By the number, then by the name, as Redis sorts them. */
    private static Stream<String> inOrder(Map<String, Long> scores, Predicate<Long> condition) {
        return scores.entrySet().stream()
                .filter(member -> condition.test(member.getValue()))
                .sorted(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey);
    }

    /** All data is lost. */
    public void forget() {
        roster = new Roster();
    }

    /** One of the keys is lost: {@code roster}, {@code texts}, {@code ends}, {@code versions} or {@code gone}. */
    public void lose(String key) {
        switch (key) {
            case "roster" -> {
                roster.id = null;
                roster.number = null;
                roster.floor = 0;
            }
            case "texts" -> roster.texts.clear();
            case "ends" -> roster.ends.clear();
            case "versions" -> roster.versions.clear();
            case "gone" -> roster.gone.clear();
            default -> throw new IllegalArgumentException(key);
        }
    }

    /** What each key holds, by field or member. */
    public Map<String, Map<String, String>> keys() {
        Map<String, Map<String, String>> keys = new TreeMap<>();
        keys.put(
                "roster",
                roster.id == null
                        ? Map.of()
                        : Map.of(
                                "id",
                                roster.id,
                                "number",
                                Long.toString(number()),
                                "floor",
                                Long.toString(roster.floor),
                                "format",
                                "1"));
        Map<String, String> texts = new TreeMap<>();
        roster.texts.forEach((member, said) -> texts.put(member, said.text()));
        keys.put("texts", texts);
        keys.put("ends", scores(roster.ends));
        keys.put("versions", scores(roster.versions));
        keys.put("gone", scores(roster.gone));
        return keys;
    }

    private static Map<String, String> scores(Map<String, Long> all) {
        Map<String, String> texts = new TreeMap<>();
        all.forEach((member, score) -> texts.put(member, Long.toString(score)));
        return texts;
    }

    /** The server is another one, with the same data. */
    public void become(String otherIncarnation) {
        incarnation = otherIncarnation;
    }

    /** What brings back what is known now, in another incarnation of the server. */
    public Runnable saved() {
        Roster then = roster.copy();
        return () -> {
            roster = then.copy();
            incarnation = Long.toString(Long.parseLong(incarnation) + 1);
        };
    }
}
