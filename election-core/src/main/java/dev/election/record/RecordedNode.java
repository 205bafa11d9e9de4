package dev.election.record;

import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.store.AnnounceReply;
import dev.election.store.EventText;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.NodeEvent;
import dev.election.support.RandomId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the processes with one node id say of themselves, in a {@link RecordStore}. The record holds what was said last: of two that speak
 * at a time one may not be heard.
 */
final class RecordedNode {

    private final RecordStore store;
    private final String key;
    private final SharedText<String> record;

    /** The latest message of this process. */
    private volatile @Nullable String said;

    RecordedNode(RecordStore store, String key, ObservedStore observed) {
        this.store = store;
        this.key = key;
        this.record = new SharedText<>(store, key, Function.identity(), observed);
    }

    /** May fail with a {@link NoAnswerException}. */
    CompletionStage<AnnounceReply> announce(NodeEvent.Present present) {
        // Watchers tell that something new was said by bytes that differ.
        String text = EventText.write(present) + "\n" + RandomId.ofBytes(16);
        said = text;
        return record.change(
                (before, clock, incarnation) -> new SharedText.Step.Write<>(text, AnnounceReply.Announced::new));
    }

    Subscription listen(Consumer<NodeEvent> listener) {
        Ear ear = new Ear(listener);
        Subscription watch = store.watch(key, change -> {
            if (change == RecordStore.Change.CONNECTION) {
                ear.reconnected();
            }
            look(ear);
        });
        look(ear);
        return () -> {
            watch.close();
            tidyUp();
        };
    }

    private void look(Ear ear) {
        CompletionStage<Void> unused = NoAnswerException.asked(() -> store.read(key))
                .thenAccept(outcome -> {
                    if (outcome instanceof Read read) {
                        ear.see(read.stored());
                    }
                });
    }

    /** A node id may be another one after each start, and what this process has said is news to nobody any more. */
    private void tidyUp() {
        CompletionStage<@Nullable ReplaceOutcome> unused = NoAnswerException.asked(() -> store.read(key))
                .thenCompose(outcome -> outcome instanceof Read read
                                && read.stored() != null
                                && read.stored().text().equals(said)
                        ? store.delete(key, read.stored())
                        : CompletableFuture.completedFuture(null));
    }

    /** Tells a listener what is new since it came. */
    private static final class Ear {

        private final Consumer<NodeEvent> listener;
        private boolean connected;
        private @Nullable String heard;

        private Ear(Consumer<NodeEvent> listener) {
            this.listener = listener;
        }

        private void reconnected() {
            if (isConnected()) {
                listener.accept(new NodeEvent.Connected());
            }
        }

        private void see(@Nullable Stored stored) {
            NodeEvent news = news(stored);
            if (news != null) {
                listener.accept(news);
            }
        }

        /** Messages from before the first answer count as received. */
        private synchronized @Nullable NodeEvent news(@Nullable Stored stored) {
            String before = heard;
            heard = stored == null ? before : stored.text();
            if (!connected) {
                connected = true;
                return new NodeEvent.Connected();
            }
            return stored == null || stored.text().equals(before)
                    ? null
                    : EventText.readPresent(stored.text()).orElse(null);
        }

        private synchronized boolean isConnected() {
            return connected;
        }
    }
}
