package dev.election.harness;

import static dev.election.harness.ApiReply.JSON;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The events of a while, and who watches them. The objects' lock guards all of it. */
final class ApiEvents {

    private final List<Event> events = new ArrayList<>();
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

    /** Events up to here are forgotten. */
    private long compacted;

    /** Versions up to here have been told, maybe before they were given out again. */
    private long told;

    private boolean silent;

    ApiEvents(long version) {
        restart(version);
    }

    /** A change of one object, which is empty before its creation and after its deletion. */
    record Event(long version, ObjectNode before, ObjectNode after) {

        @Nullable
        String line(ApiSelector selector) {
            boolean was = selector.matches(before);
            boolean is = selector.matches(after);
            if (!was && !is) {
                return null;
            }
            ObjectNode object = (is ? after : before).deepCopy();
            object.withObject("/metadata").put("resourceVersion", Long.toString(version));
            return ApiEvents.line(is ? was ? "MODIFIED" : "ADDED" : "DELETED", object);
        }
    }

    /** An open watch, with what it has not sent yet. */
    record Watch(long from, ApiSelector selector, BlockingQueue<String> lines) {

        /** Instead of a line. */
        static final String END = "";

        private void tell(Event event) {
            String line = event.version() <= from ? null : event.line(selector);
            if (line != null) {
                lines.add(line);
            }
        }
    }

    Watch watch(long from, ApiSelector selector) {
        Watch watch = new Watch(from, selector, new LinkedBlockingQueue<>());
        if (from < compacted) {
            String message = "too old resource version: " + from + " (" + (compacted + 1) + ")";
            JsonNode status =
                    JSON.readTree(ApiReply.failure(410, "Expired", message).body());
            watch.lines().addAll(List.of(line("ERROR", status), Watch.END));
        } else {
            events.forEach(watch::tell);
            watches.add(watch);
        }
        return watch;
    }

    void end(Watch watch) {
        watches.remove(watch);
    }

    int watches() {
        return watches.size();
    }

    void tell(Event event) {
        if (event.version() > told && !silent) {
            told = event.version();
            events.add(event);
            watches.forEach(watch -> watch.tell(event));
        }
    }

    /** Sends the present version to each watch. */
    void bookmark(long version) {
        ObjectNode object = JSON.createObjectNode().put("kind", "Lease").put("apiVersion", "coordination.k8s.io/v1");
        object.putObject("metadata")
                .put("resourceVersion", Long.toString(version))
                .putNull("creationTimestamp");
        object.putObject("spec");
        watches.forEach(watch -> watch.lines().add(line("BOOKMARK", object)));
    }

    /** Forgets the events up to that version. */
    void compact(long version) {
        events.clear();
        compacted = version;
    }

    /** Forgets what was told, too. */
    void restart(long version) {
        compact(version);
        told = version;
    }

    /** While silent, events are lost. */
    void setSilent(boolean silent) {
        this.silent = silent;
    }

    private static String line(String type, JsonNode object) {
        return JSON.createObjectNode().put("type", type).set("object", object) + "\n";
    }
}
