package dev.election.record;

import dev.election.StoreProblem;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.Stored;
import dev.election.record.SharedText.Step;
import dev.election.store.AnnounceReply;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import dev.election.store.NoAnswer;
import dev.election.support.DaemonThreads;
import dev.election.support.RandomId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages of members in a {@link RecordStore}: each member has a key with the latest messages to it, and one key has those to all. A
 * change of a key only makes its reader look. A process writes one message after another, and each has a number: so a reader passes each on
 * once at most, and those of a sender in their order.
 */
final class RecordMessaging implements MemberMessaging {

    private static final String TO_ALL = "*";

    /** How long a message waits for earlier ones of this process at most. */
    private static final long PATIENCE = Duration.ofSeconds(5).toNanos();

    /** The keys of members that are gone are deleted when nothing was sent to them for so long. */
    private static final long LEFT_MILLIS = Duration.ofHours(1).toMillis();

    /** How often the keys are read at most until they are seen as they stood at one time. */
    private static final int ATTEMPTS = 8;

    /** How many senders a reader knows: a message that comes again later than that is not known as such. */
    private static final int SENDERS = 1_000;

    /** A change that is not read would be reported once more at most. */
    private static final Executor RETRY = new DaemonThreads("election-messages").after(Duration.ofSeconds(1));

    private final RecordStore store;
    private final String prefix;
    private final ObservedStore observed;
    private final LongSupplier wall;
    private final String sender = RandomId.ofBytes(12);

    /** Completed when the latest message was written, or won't be. Guarded by this, like the next field. */
    private CompletionStage<?> latest = CompletableFuture.completedFuture(null);

    private long number;

    RecordMessaging(RecordStore store, String prefix, ObservedStore observed, LongSupplier wall) {
        this.store = store;
        this.prefix = prefix;
        this.observed = observed;
        this.wall = wall;
    }

    @Override
    public CompletionStage<AnnounceReply> send(String instance, String text) {
        return post(instance, text);
    }

    @Override
    public CompletionStage<AnnounceReply> sendToAll(String text) {
        return post(TO_ALL, text);
    }

    private synchronized CompletionStage<AnnounceReply> post(String to, String text) {
        number++;
        long own = number;
        long asked = observed.nanos();
        CompletionStage<AnnounceReply> written = latest.handle((done, failure) -> true)
                .thenCompose(ready -> observed.nanos() - asked > PATIENCE
                        ? CompletableFuture.completedFuture(new NoAnswer(
                                StoreProblem.TIMED_OUT, "earlier messages of this process are not written yet"))
                        : write(to, own, text));
        latest = written;
        return written;
    }

    private CompletionStage<AnnounceReply> write(String to, long own, String text) {
        return new SharedText<>(store, prefix + to, Mailbox::read, observed)
                .<AnnounceReply>change((value, clock, seen) -> {
                    Mailbox known = value == null ? Mailbox.EMPTY : value;
                    Mailbox.Message added = new Mailbox.Message(sender, own, millis(clock), text);
                    boolean isThere =
                            known.messages().stream().anyMatch(one -> one.id().equals(added.id()));
                    // Of a write whose answer was lost.
                    return isThere
                            ? new Step.Answer<>(new AnnounceReply.Announced())
                            : new Step.Write<>(known.with(added).write(), AnnounceReply.Announced::new);
                })
                .exceptionally(NoAnswerException::reply);
    }

    private long millis(@Nullable Instant clock) {
        return clock == null ? wall.getAsLong() : clock.toEpochMilli();
    }

    @Override
    public Subscription listen(String instance, Consumer<MemberMessage> listener) {
        Reader reader = new Reader(prefix + instance, listener);
        List<Subscription> watches = Stream.of(prefix + instance, prefix + TO_ALL)
                .map(key -> store.watch(key, reader::changed))
                .toList();
        reader.look();
        CompletionStage<Void> unused = NoAnswerException.asked(() -> store.readAll(prefix))
                .thenAccept(outcome -> {
                    if (outcome instanceof ReadAll all) {
                        deleteLeft(all);
                    }
                });
        return () -> {
            reader.close();
            watches.forEach(Subscription::close);
        };
    }

    private void deleteLeft(ReadAll all) {
        long now = millis(all.origin().clock());
        all.stored().forEach((key, stored) -> {
            long last = mailbox(stored).latest();
            if (!key.equals(prefix + TO_ALL) && last > 0 && last < now - LEFT_MILLIS) {
                CompletionStage<?> unused = store.delete(key, stored);
            }
        });
    }

    private static Mailbox mailbox(@Nullable Stored stored) {
        try {
            return stored == null ? Mailbox.EMPTY : Mailbox.read(stored.text());
        } catch (IllegalArgumentException unreadable) {
            return Mailbox.EMPTY;
        }
    }

    /** Reads what is sent to one member and to all. Looks once at a time. */
    private final class Reader {

        private final String key;
        private final Consumer<MemberMessage> listener;

        /** The highest number of each sender that was passed on, or was there before. Used by one look at a time. */
        private final Map<String, Long> passed = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > SENDERS;
            }
        };

        private volatile boolean isConnected;

        /** Guarded by this, like the others. */
        private boolean isLooking;

        private boolean isToLookAgain;
        private boolean isClosed;

        private Reader(String key, Consumer<MemberMessage> listener) {
            this.key = key;
            this.listener = listener;
        }

        private void changed(RecordStore.Change change) {
            if (change == RecordStore.Change.CONNECTION && isConnected) {
                listener.accept(new MemberMessage.Connected());
            }
            look();
        }

        private void look() {
            synchronized (this) {
                isToLookAgain = isLooking;
                if (isLooking || isClosed) {
                    return;
                }
                isLooking = true;
            }
            CompletionStage<Void> unused = read(key)
                    .thenCompose(own -> readBoth(own, ATTEMPTS))
                    .handle((done, failure) -> {
                        boolean isToLook = ended();
                        if (failure != null) {
                            RETRY.execute(this::look);
                        } else if (isToLook) {
                            look();
                        }
                        return null;
                    });
        }

        private synchronized boolean ended() {
            isLooking = false;
            return isToLookAgain;
        }

        private synchronized void close() {
            isClosed = true;
        }

        private synchronized boolean isClosed() {
            return isClosed;
        }

        /**
         * Reads both keys as they stood at one time: the own one is the same before and after the other is read. Otherwise a message to this member
         * could be seen without an earlier one to all.
         */
        private CompletionStage<Boolean> readBoth(@Nullable Stored own, int attempts) {
            return read(prefix + TO_ALL).thenCompose(toAll -> read(key).thenCompose(again -> {
                if (!Objects.equals(own, again) && attempts > 1) {
                    return readBoth(again, attempts - 1);
                }
                pass(Stream.of(mailbox(own), mailbox(toAll))
                        .flatMap(box -> box.messages().stream())
                        .sorted(Comparator.comparing(Mailbox.Message::sender).thenComparing(Mailbox.Message::number))
                        .toList());
                return CompletableFuture.completedFuture(true);
            }));
        }

        private CompletionStage<@Nullable Stored> read(String what) {
            return NoAnswerException.asked(() -> store.read(what)).thenApply(outcome -> {
                if (outcome instanceof Read read) {
                    return read.stored();
                }
                throw new NoAnswerException(((RecordStore.Failed) outcome).answer());
            });
        }

        private void pass(List<Mailbox.Message> messages) {
            for (Mailbox.Message message : messages) {
                boolean isNew = message.number() > passed.getOrDefault(message.sender(), 0L);
                if (isNew) {
                    passed.put(message.sender(), message.number());
                }
                if (isNew && isConnected && !isClosed()) {
                    listener.accept(new MemberMessage.Received(message.text()));
                }
            }
            if (!isConnected) {
                isConnected = true;
                listener.accept(new MemberMessage.Connected());
            }
        }
    }
}
