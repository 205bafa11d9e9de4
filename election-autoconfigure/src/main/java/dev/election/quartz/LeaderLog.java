package dev.election.quartz;

import dev.election.FencingToken;
import dev.election.lease.Logbook;
import dev.election.lease.NoAnswer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logbook of an election in the hands of one leader. It knows all entries, so that it can write down again what the store did
 * not take or has lost. A failure to write costs nothing now; only if this leader crashes before it is mended, its successor may
 * fire a slot again.
 */
final class LeaderLog {

    private static final Logger log = LoggerFactory.getLogger(LeaderLog.class);

    private static final long PAUSE_MILLIS = 500;

    private final Logbook book;
    private final String election;
    private final FencingToken token;
    private final BooleanSupplier isLeading;
    private final Executor later = CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);

    /** Written before the store is asked to. */
    private final Map<String, String> entries = new ConcurrentHashMap<>();

    /** The names of entries that the store may not have as they are. Guarded by this. */
    private final Set<String> unwritten = new HashSet<>();

    private boolean retrying;

    /**
     * @param book where to write
     * @param election the name of the election
     * @param token of the leader that writes
     * @param isLeading whether it still leads
     */
    LeaderLog(Logbook book, String election, FencingToken token, BooleanSupplier isLeading) {
        this.book = book;
        this.election = election;
        this.token = token;
        this.isLeading = isLeading;
    }

    /** Asks until there is an answer or this node leads no more; completes with that answer, or never. */
    CompletionStage<Logbook.Opened> open() {
        CompletableFuture<Logbook.Opened> result = new CompletableFuture<>();
        open(result);
        return result;
    }

    /** All that earlier leaders and this one have written. */
    Map<String, String> entries() {
        return Map.copyOf(entries);
    }

    @Nullable
    String entry(String name) {
        return entries.get(name);
    }

    /** Completes, never by failing, when the store has answered or won't. */
    synchronized CompletionStage<Void> write(Map<String, String> put, Collection<String> removed) {
        entries.putAll(put);
        removed.forEach(entries::remove);
        Set<String> names = new HashSet<>(put.keySet());
        names.addAll(removed);
        return send(names);
    }

    private void open(CompletableFuture<Logbook.Opened> result) {
        book.open(election, token).thenAccept(reply -> {
            if (reply instanceof Logbook.Opened opened) {
                opened.entries().forEach(entries::putIfAbsent);
                result.complete(opened);
            } else if (reply instanceof NoAnswer && isLeading.getAsBoolean()) {
                log.debug("The log of '{}' can't be read yet: {}", election, reply);
                later.execute(() -> open(result));
            }
        });
    }

    /** What is read last is sent last. */
    private synchronized CompletionStage<Void> send(Set<String> names) {
        Map<String, String> put = new HashMap<>();
        Set<String> removed = new HashSet<>();
        names.forEach(name -> {
            String value = entries.get(name);
            if (value == null) {
                removed.add(name);
            } else {
                put.put(name, value);
            }
        });
        return book.write(election, token, put, removed).thenCompose(reply -> answered(names, reply));
    }

    private CompletionStage<Void> answered(Set<String> names, Logbook.WriteReply reply) {
        if (reply instanceof Logbook.Forgotten) {
            log.info("The log of '{}' is lost; this leader writes down again what it knows", election);
            Set<String> everything = new HashSet<>(entries.keySet());
            return book.open(election, token).thenCompose(opened -> {
                if (opened instanceof Logbook.Opened) {
                    return send(everything);
                }
                retry(everything);
                return CompletableFuture.completedFuture(null);
            });
        }
        if (reply instanceof NoAnswer) {
            log.debug("The log of '{}' could not be written: {}", election, reply);
            retry(names);
        }
        return CompletableFuture.completedFuture(null);
    }

    private synchronized void retry(Set<String> names) {
        unwritten.addAll(names);
        if (!retrying && isLeading.getAsBoolean()) {
            retrying = true;
            later.execute(this::resend);
        }
    }

    private void resend() {
        Set<String> names;
        synchronized (this) {
            retrying = false;
            names = Set.copyOf(unwritten);
            unwritten.clear();
        }
        send(names);
    }
}
