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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
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

    /** A key is deleted when nothing was written to it for so long: most likely its member is gone. */
    private static final long LEFT_MILLIS = Duration.ofHours(1).toMillis();

    /** How many senders a reader knows: a message that comes again later than that is not known as such. */
    private static final int SENDERS = 1_000;

    /** A change that is not read would be reported once more at most. */
    private static final Executor RETRY = new DaemonThreads("election-messages").after(Duration.ofSeconds(1));

    private final RecordStore store;
    private final String prefix;
    private final ObservedStore observed;
    private final LongSupplier wall;

    /** Completed when the latest message was written, or won't be. Guarded by this, like the next fields. */
    private CompletionStage<?> latest = CompletableFuture.completedFuture(null);

    private String sender = RandomId.ofBytes(12);

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
        String from = sender;
        long asked = observed.nanos();
        CompletionStage<AnnounceReply> written = latest.<AnnounceReply>thenCompose(
                        done -> observed.nanos() - asked > PATIENCE
                                ? CompletableFuture.completedFuture(new NoAnswer(
                                        StoreProblem.TIMED_OUT, "earlier messages of this process are not written yet"))
                                : write(to, from, own, text))
                .exceptionally(NoAnswerException::reply);
        latest = written;
        return written;
    }

    private CompletionStage<AnnounceReply> write(String to, String from, long own, String text) {
        return new SharedText<>(store, prefix + to, Mailbox::read, observed).change((value, clock, seen) -> {
            Mailbox known = value == null ? Mailbox.EMPTY : value;
            Mailbox.Message added = new Mailbox.Message(from, own, millis(clock), text);
            return new Step.Write<>(known.with(added).write(), AnnounceReply.Announced::new);
        });
    }

    private long millis(@Nullable Instant clock) {
        return clock == null ? wall.getAsLong() : clock.toEpochMilli();
    }

    @Override
    public Subscription listen(String instance, Consumer<MemberMessage> listener) {
        begin();
        Reader reader = new Reader(prefix + instance, listener);
        List<Subscription> watches = Stream.of(prefix + instance, prefix + TO_ALL)
                .map(key -> store.watch(key, change -> reader.look()))
                .toList();
        reader.look();
        CompletionStage<Void> unused = NoAnswerException.asked(() -> store.readAll(prefix))
                .thenAccept(outcome -> {
                    if (outcome instanceof ReadAll all) {
                        deleteLeft(all);
                    }
                });
        return () -> {
            reader.isClosed = true;
            watches.forEach(Subscription::close);
        };
    }

    /** Numbers messages anew, since copies of this process may have been started from one image. */
    private synchronized void begin() {
        sender = RandomId.ofBytes(12);
        number = 0;
    }

    private void deleteLeft(ReadAll all) {
        long now = millis(all.origin().clock());
        all.stored().forEach((key, stored) -> {
            long last = mailbox(stored).latest();
            if (last > 0 && last < now - LEFT_MILLIS) {
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

        /** Whether it has looked: what was there before is not passed on. Used by one look at a time. */
        private boolean isConnected;

        /** How often it was asked to look since the last look has begun, zero if none is under way. */
        private final AtomicInteger asked = new AtomicInteger();

        private volatile boolean isClosed;

        private Reader(String key, Consumer<MemberMessage> listener) {
            this.key = key;
            this.listener = listener;
        }

        private void look() {
            if (asked.getAndIncrement() == 0) {
                lookNow();
            }
        }

        private void lookNow() {
            if (isClosed) {
                return;
            }
            int before = asked.get();
            CompletionStage<Void> unused = read(key)
                    .thenCompose(first -> read(prefix + TO_ALL).thenCompose(toAll -> read(key)
                            .thenAccept(second -> pass(mailbox(first), mailbox(toAll), mailbox(second)))))
                    .handle((done, failure) -> {
                        if (failure != null) {
                            asked.set(0);
                            RETRY.execute(this::look);
                        } else if (!asked.compareAndSet(before, 0)) {
                            lookNow();
                        }
                        return null;
                    });
        }

        private CompletionStage<@Nullable Stored> read(String what) {
            return NoAnswerException.asked(() -> store.read(what)).thenApply(outcome -> {
                if (outcome instanceof Read read) {
                    return read.stored();
                }
                throw new NoAnswerException(((RecordStore.Failed) outcome).answer());
            });
        }

        /**
         * Passes on what is new. The own key is read before and after the one to all: a message that only the second reading has found counts if a
         * later one of its sender to all was found. Otherwise there may be an earlier one to all that was not found, and the next look passes both on.
         */
        private void pass(Mailbox before, Mailbox toAll, Mailbox after) {
            Map<String, Long> latestToAll = new HashMap<>();
            toAll.messages().forEach(one -> latestToAll.merge(one.sender(), one.number(), Math::max));
            Stream<Mailbox.Message> between =
                    after.messages().stream().filter(one -> one.number() < latestToAll.getOrDefault(one.sender(), 0L));
            Stream.of(before.messages().stream(), toAll.messages().stream(), between)
                    .flatMap(Function.identity())
                    .sorted(Comparator.comparing(Mailbox.Message::sender).thenComparing(Mailbox.Message::number))
                    .forEach(this::pass);
            if (!isConnected) {
                isConnected = true;
                tell(new MemberMessage.Connected());
            }
        }

        private void pass(Mailbox.Message message) {
            if (message.number() > passed.getOrDefault(message.sender(), 0L)) {
                passed.put(message.sender(), message.number());
                if (isConnected) {
                    tell(new MemberMessage.Received(message.text()));
                }
            }
        }

        private void tell(MemberMessage message) {
            if (!isClosed) {
                listener.accept(message);
            }
        }
    }
}
