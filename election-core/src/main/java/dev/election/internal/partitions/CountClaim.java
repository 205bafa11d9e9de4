package dev.election.internal.partitions;

import dev.election.FencingToken;
import dev.election.internal.partitions.CountVerdict.Agreed;
import dev.election.internal.partitions.CountVerdict.Differing;
import dev.election.internal.partitions.CountVerdict.Missing;
import dev.election.internal.requests.EngineContext;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.support.PartitionName;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * An attempt of a leader of the first partition to have its count in the store: opens the ledger, which shuts out earlier leaders, and writes the count if
 * there is none. Repeats what the store does not answer. Used on the loop only.
 */
final class CountClaim {

    private final FencingToken token;
    private final GroupCount group;
    private final LedgerStore ledger;
    private final EngineContext context;

    /** The pause after a request without an answer. */
    private final long pause;

    private final CompletableFuture<Void> done = new CompletableFuture<>();

    CountClaim(FencingToken token, GroupCount group, LedgerStore ledger, EngineContext context, long pause) {
        this.token = token;
        this.group = group;
        this.ledger = ledger;
        this.context = context;
        this.pause = pause;
    }

    /** Completes when the store has the count. The claim ends, too, when this is cancelled. */
    CompletableFuture<Void> done() {
        return done;
    }

    boolean isOver() {
        return done.isDone() || !group.leads(token);
    }

    void open() {
        if (!isOver()) {
            ledger.open(group.first(), token).thenAccept(reply -> onLoop(() -> opened(reply)));
        }
    }

    private void opened(LedgerStore.OpenReply reply) {
        if (reply instanceof LedgerStore.Opened opened) {
            group.answered();
            String stored = opened.entries().get(PartitionName.COUNT);
            if (stored != null) {
                end(group.judge(stored));
            } else if (group.verdict() instanceof Agreed) {
                write();
            } else {
                group.askOthers(this);
            }
        } else if (reply instanceof LedgerStore.Superseded) {
            superseded();
        } else {
            failed(reply, this::open);
        }
    }

    /** Goes on when the others have told what they know. */
    void othersAnswered() {
        CountVerdict verdict = group.judge(null);
        if (verdict instanceof Missing) {
            write();
        } else {
            end(verdict);
        }
    }

    private void write() {
        if (!isOver()) {
            ledger.write(group.first(), token, Map.of(PartitionName.COUNT, group.text()), Set.of())
                    .thenAccept(reply -> onLoop(() -> written(reply)));
        }
    }

    private void written(LedgerStore.WriteReply reply) {
        if (reply instanceof LedgerStore.Written) {
            end(group.judge(group.text()));
        } else if (reply instanceof LedgerStore.Forgotten) {
            open();
        } else if (reply instanceof LedgerStore.Superseded) {
            superseded();
        } else {
            failed(reply, this::write);
        }
    }

    private void onLoop(Runnable task) {
        context.loop().offerHere(() -> {
            if (!isOver()) {
                task.run();
            }
        });
    }

    private void failed(Object reply, Runnable task) {
        if (reply instanceof NoAnswer failure) {
            group.failed(failure);
        }
        context.loop().alarm(context.clock().nanos() + pause, task);
    }

    private void superseded() {
        done.completeExceptionally(new IllegalStateException("another leader has begun"));
    }

    private void end(CountVerdict verdict) {
        if (verdict instanceof Differing differing) {
            done.completeExceptionally(new IllegalStateException(
                    "the group has " + differing.count() + " partitions, not " + group.text()));
        } else {
            done.complete(null);
        }
    }
}
