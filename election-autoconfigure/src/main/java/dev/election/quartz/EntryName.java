package dev.election.quartz;

import dev.election.FencingToken;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.quartz.TriggerKey;

/** The names of entries in the logbook. Whatever a trigger is called, no two entries have the same name. */
final class EntryName {

    private EntryName() {}

    /** The slots of a trigger. */
    static String slots(String scheduler, TriggerKey trigger) {
        return allSlots(scheduler) + path(trigger.getGroup(), trigger.getName());
    }

    /** What the entries of all triggers of a scheduler begin with. */
    static String allSlots(String scheduler) {
        return path("quartz", scheduler, "slot") + "/";
    }

    /** The slots of a trigger in a store that nodes share. */
    static String fired(String scheduler, TriggerKey trigger) {
        return allFired(scheduler) + path(trigger.getGroup(), trigger.getName());
    }

    /** What the entries of all triggers of such a scheduler begin with. */
    static String allFired(String scheduler) {
        return path("quartz", scheduler, "fired") + "/";
    }

    /** A job that runs. The ids of firings are unique in one process only, and tokens in all. */
    static String mark(String scheduler, FencingToken token, String fireInstanceId) {
        return allMarks(scheduler) + path(token + "-" + fireInstanceId);
    }

    /** What the entries of all running jobs of a scheduler begin with. */
    static String allMarks(String scheduler) {
        return path("quartz", scheduler, "running") + "/";
    }

    private static String path(String... parts) {
        return Arrays.stream(parts)
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8))
                .collect(Collectors.joining("/"));
    }
}
