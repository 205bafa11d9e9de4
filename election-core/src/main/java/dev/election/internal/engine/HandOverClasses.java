package dev.election.internal.engine;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Classes that a process needs for the first time when it hands leadership over or takes it over. They are loaded while nothing is due, since
 * nobody leads meanwhile. A test compares the list with what a new process loads.
 */
final class HandOverClasses {

    private static final Logger log = LoggerFactory.getLogger(HandOverClasses.class);

    private static final List<String> NAMES = List.of(
            "Abdication",
            "AbdicationOutcome",
            "LossReason",
            "internal.election.Snapshot$1",
            "internal.protocol.Departure",
            "internal.protocol.Departure$Goal",
            "internal.protocol.HeldLease",
            "internal.protocol.Input$Abdicate",
            "internal.protocol.Input$Asked",
            "internal.protocol.Input$Drained",
            "internal.protocol.Input$HandOver",
            "internal.protocol.Input$Observe",
            "internal.protocol.Input$Released",
            "internal.protocol.Input$Stop",
            "internal.protocol.LeaderRules",
            "store.BeatRequest",
            "store.ReleaseReply$Released",
            "store.ReleaseRequest",
            "store.ReleaseRequest$Grant",
            "store.RenewReply$Lost");

    private HandOverClasses() {}

    static List<String> names() {
        return NAMES.stream().map("dev.election."::concat).toList();
    }

    /** Returns errands, each of which loads one class; none in a native image, which has its classes. */
    static Iterator<Runnable> load() {
        if (System.getProperty("org.graalvm.nativeimage.imagecode") != null) {
            return Collections.emptyIterator();
        }
        return names().stream().<Runnable>map(name -> () -> load(name)).iterator();
    }

    private static void load(String name) {
        try {
            Class<?> unused = Class.forName(name);
        } catch (ClassNotFoundException | LinkageError notNow) {
            log.trace("Not loaded early: {}", name, notNow);
        }
    }
}
