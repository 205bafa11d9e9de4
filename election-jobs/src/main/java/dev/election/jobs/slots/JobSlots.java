package dev.election.jobs.slots;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a job with several schedules, or whose schedules change: the latest times for which it was run, whichever schedule named them,
 * and which schedules the last leader had that recorded the job. Any number of threads may ask.
 */
public final class JobSlots {

    /** Times that are remembered: more than a schedule names while clocks may be apart. */
    private static final int REMEMBERED = 64;

    private final NavigableSet<Long> times = new TreeSet<>();

    /** The first time of each schedule that catches up: it may still name times for which others have run the job. */
    private final Map<ScheduleSlots, Long> catchingUp = new HashMap<>();

    /** The schedules that the last leader had, {@code null} if that is not known. */
    private @Nullable Set<String> schedules;

    /** Reads the record of an earlier leader; entries that are missing or can't be read count as unknown. */
    public static JobSlots parse(@Nullable String entry) {
        JobSlots slots = new JobSlots();
        String[] part = entry == null ? new String[0] : entry.split(" ", 2);
        if (part.length == 2) {
            slots.schedules = parts(part[0]).map(JobSlots::decoded).collect(Collectors.toSet());
            parts(part[1]).map(JobSlots::time).forEach(slots.times::add);
        }
        return slots;
    }

    public synchronized String format() {
        Set<String> names = schedules == null ? Set.of() : schedules;
        return names.stream()
                        .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8))
                        .collect(Collectors.joining(","))
                + " "
                + times.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** The schedules that the last leader had, {@code null} if that is not known. */
    public synchronized @Nullable Set<String> schedules() {
        return schedules;
    }

    public synchronized void schedules(Set<String> present) {
        schedules = Set.copyOf(present);
    }

    /** Adds a time for which the job is run. Returns whether it was not run for that time before. */
    synchronized boolean add(long time) {
        boolean isNew = times.add(time);
        long needed = catchingUp.values().stream().min(Long::compare).orElse(Long.MAX_VALUE);
        while (times.size() > REMEMBERED && times.first() < needed) {
            times.pollFirst();
        }
        return isNew;
    }

    /** Notes from where on a schedule catches up, {@code null} if it does not. */
    synchronized void catchUp(ScheduleSlots schedule, @Nullable Long from) {
        if (from == null) {
            catchingUp.remove(schedule);
        } else {
            catchingUp.put(schedule, from);
        }
    }

    synchronized void remove(long time) {
        times.remove(time);
    }

    synchronized boolean has(long time) {
        return times.contains(time);
    }

    /** The latest time for which the job was run, long ago if there is none. */
    public synchronized long last() {
        return times.isEmpty() ? Long.MIN_VALUE : times.last();
    }

    private static Stream<String> parts(String list) {
        return Stream.of(list.split(",")).filter(part -> !part.isEmpty());
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notOurs) {
            return name;
        }
    }

    private static long time(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notOurs) {
            return Long.MIN_VALUE;
        }
    }
}
