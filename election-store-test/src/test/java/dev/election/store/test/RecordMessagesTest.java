package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Stored;
import dev.election.store.AnnounceReply;
import dev.election.store.LeaseStore;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessage.Connected;
import dev.election.store.MemberMessage.Received;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of members over a store that can change a text only as a whole, with a clock and without one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecordMessagesTest {

    private static final String TO_A = "p/messages/a";
    private static final String TO_ALL = "p/messages/*";

    @Nested
    class WithClock extends Contract {

        WithClock() {
            super(true);
        }
    }

    @Nested
    class WithoutClock extends Contract {

        WithoutClock() {
            super(false);
        }
    }

    abstract static class Contract implements MemberMessagingContract {

        private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
        private final AtomicLong monotonic = new AtomicLong();
        private final boolean hasClock;
        private final InMemoryRecordStore records;
        private final Process own;
        private final Process other;

        private int processes;

        Contract(boolean hasClock) {
            this.hasClock = hasClock;
            records = hasClock
                    ? InMemoryRecordStore.withClock(millis::get)
                    : InMemoryRecordStore.withoutClock(millis::get);
            own = process();
            other = process();
        }

        @Override
        public LeaseStore store() {
            return own.store;
        }

        @Test
        void a_text_is_heard_once_however_often_its_reader_looks() {
            List<String> heard = hear(own, "a");
            other.send("a", "1");
            other.sendToAll("2");
            own.watchers.forEach(watcher -> watcher.accept(Change.TEXT));
            own.watchers.forEach(watcher -> watcher.accept(Change.CONNECTION));
            process().send("a", "3");
            assertThat(heard).containsExactly("1", "2", "3");
        }

        @Test
        void each_process_counts_its_own_texts() {
            List<String> heard = hear(own, "a");
            other.send("a", "1");
            process().send("a", "2");
            own.send("a", "3");
            assertThat(heard).containsExactly("1", "2", "3");
        }

        @Test
        void a_write_waits_for_the_one_before_it_also_if_that_is_for_others() {
            List<String> heard = hear(own, "a");
            Held first = other.hold("replace " + TO_ALL);
            CompletionStage<AnnounceReply> toAll = other.messaging().sendToAll("1");
            CompletionStage<AnnounceReply> toA = other.messaging().send("a", "2");
            assertThat(records.find(TO_A)).isNull();
            first.release();
            assertThat(List.of(ask(toAll), ask(toA))).hasOnlyElementsOfType(AnnounceReply.Announced.class);
            assertThat(heard).containsExactly("1", "2");
        }

        @Test
        void a_thread_sends_after_the_one_that_has_begun_before_it() throws InterruptedException {
            List<String> heard = hear(own, "a");
            Thread second = new Thread(() -> other.send("a", "2"));
            other.next("read " + TO_A, carriedOut -> {
                second.start();
                while (second.isAlive() && second.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
                return carriedOut.get();
            });
            other.send("a", "1");
            second.join();
            assertThat(heard).containsExactly("1", "2");
        }

        @Test
        void a_write_without_an_answer_that_lands_after_a_later_one_is_not_heard() {
            List<String> heard = hear(own, "a");
            Held first = other.hold("replace " + TO_ALL);
            CompletionStage<AnnounceReply> unknown = other.messaging().sendToAll("1");
            first.fail();
            assertThat(ask(unknown)).isInstanceOf(NoAnswer.class);
            other.send("a", "2");
            first.carryOut();
            assertThat(records.find(TO_ALL)).as("it has landed").isNotNull();
            assertThat(heard).containsExactly("2");
        }

        @Test
        void a_text_waits_for_earlier_ones_for_five_seconds_at_most() {
            List<String> heard = hear(own, "a");
            Held first = other.hold("replace " + TO_A);
            CompletionStage<AnnounceReply> written = other.messaging().send("a", "1");
            CompletionStage<AnnounceReply> late = other.messaging().send("a", "2");
            pass(Duration.ofMillis(1));
            CompletionStage<AnnounceReply> inTime = other.messaging().send("a", "3");
            pass(Duration.ofSeconds(5));
            first.release();
            assertThat(ask(written)).isInstanceOf(AnnounceReply.Announced.class);
            assertThat(ask(late)).isInstanceOfSatisfying(NoAnswer.class, none -> assertThat(none.problem())
                    .isEqualTo(StoreProblem.TIMED_OUT));
            assertThat(ask(inTime)).isInstanceOf(AnnounceReply.Announced.class);
            assertThat(heard).containsExactly("1", "3");
        }

        @Test
        void a_hundred_thousand_texts_that_have_waited_too_long_end_and_the_next_is_written() {
            List<String> heard = hear(own, "a");
            Held first = other.hold("replace " + TO_A);
            CompletionStage<AnnounceReply> latest = other.messaging().send("a", "1");
            for (int i = 0; i < 100_000; i++) {
                latest = other.messaging().send("a", "late");
            }
            pass(Duration.ofSeconds(6));
            first.release();
            assertThat(ask(latest)).isInstanceOf(NoAnswer.class);
            other.send("a", "2");
            assertThat(heard).containsExactly("1", "2");
        }

        @Test
        void a_text_after_one_that_has_failed_is_written() {
            List<String> heard = hear(own, "a");
            other.next("read " + TO_A, carriedOut -> failed());
            assertThat(ask(other.messaging().send("a", "1"))).isInstanceOf(NoAnswer.class);
            other.next("read " + TO_A, carriedOut -> {
                throw new NoClassDefFoundError("a defect of a driver");
            });
            assertThat(ask(other.messaging().send("a", "2"))).isInstanceOf(NoAnswer.class);
            other.send("a", "3");
            assertThat(heard).containsExactly("3");
        }

        @Test
        void a_text_to_a_member_that_is_written_before_one_to_all_is_found_also_between_the_readings() {
            List<String> heard = hear(own, "a");
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                own.next("read " + TO_ALL, carriedOut -> {
                    sent.add("to a " + sent.size());
                    other.send("a", "to a " + (sent.size() - 1));
                    sent.add("to all " + sent.size());
                    other.sendToAll("to all " + (sent.size() - 1));
                    return carriedOut.get();
                });
            }
            other.send("b", "begins");
            own.watchers.forEach(watcher -> watcher.accept(Change.TEXT));
            assertThat(sent).hasSize(40);
            assertThat(heard).isEqualTo(sent);
        }

        @Test
        void a_text_to_all_that_is_written_before_one_to_a_member_is_found_also_between_the_readings() {
            List<String> heard = hear(own, "a");
            own.next("read " + TO_A, RecordMessagesTest::asAlways);
            own.next("read " + TO_A, carriedOut -> {
                other.sendToAll("1");
                other.send("a", "2");
                return carriedOut.get();
            });
            own.watchers.get(0).accept(Change.TEXT);
            assertThat(heard).containsExactly("1", "2");
        }

        @Test
        void a_text_that_is_written_while_its_reader_reads_is_heard() {
            List<String> heard = hear(own, "a");
            own.next("read " + TO_A, RecordMessagesTest::asAlways);
            Held secondReading = own.hold("read " + TO_A);
            other.send("a", "1");
            secondReading.carryOut();
            other.send("a", "2");
            secondReading.release();
            assertThat(heard).containsExactly("1", "2");
        }

        @Test
        void a_text_is_heard_that_is_sent_as_soon_as_its_reader_is_connected() {
            List<String> heard = new ArrayList<>();
            LeaseStore.Subscription unused = own.messaging().listen("a", message -> {
                if (message instanceof Received received) {
                    heard.add(received.text());
                } else {
                    other.send("a", "1");
                    other.sendToAll("2");
                }
            });
            assertThat(heard).containsExactly("1", "2");
        }

        @Test
        void what_was_sent_before_is_not_heard_and_a_reader_connects_once() {
            other.send("a", "too early");
            other.sendToAll("too early for all");
            Held look = own.hold("read " + TO_A);
            List<MemberMessage> heard = new ArrayList<>();
            LeaseStore.Subscription unused = own.messaging().listen("a", heard::add);
            own.watchers.forEach(watcher -> watcher.accept(Change.CONNECTION));
            assertThat(heard).as("before it has looked").isEmpty();
            look.release();
            other.send("a", "1");
            own.watchers.forEach(watcher -> watcher.accept(Change.CONNECTION));
            assertThat(heard).containsExactly(new Connected(), new Received("1"));
        }

        @Test
        void a_look_that_fails_is_repeated_a_second_later() throws InterruptedException {
            BlockingQueue<MemberMessage> heard = new LinkedBlockingQueue<>();
            LeaseStore.Subscription unused = own.messaging().listen("a", heard::add);
            AtomicLong failedAt = new AtomicLong();
            own.next("read " + TO_ALL, carriedOut -> {
                failedAt.set(System.nanoTime());
                return failed();
            });
            other.sendToAll("1");
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(new Connected());
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(new Received("1"));
            assertThat(Duration.ofNanos(System.nanoTime() - failedAt.get())).isGreaterThan(Duration.ofMillis(900));
        }

        @Test
        void a_reader_that_is_closed_while_it_looks_hears_nothing_and_looks_no_more() {
            List<MemberMessage> heard = new ArrayList<>();
            Held look = own.hold("read " + TO_A);
            LeaseStore.Subscription left = own.messaging().listen("a", heard::add);
            other.send("a", "too early");
            left.close();
            assertThat(own.watchers).isEmpty();
            look.release();
            assertThat(heard).isEmpty();
            assertThat(own.calls).filteredOn(("read " + TO_ALL)::equals).hasSize(1);
        }

        @Test
        void a_reader_that_is_closed_by_what_it_hears_hears_nothing_more() {
            List<String> heard = new ArrayList<>();
            List<LeaseStore.Subscription> subscription = new ArrayList<>();
            subscription.add(own.messaging().listen("a", message -> {
                if (message instanceof Received received) {
                    heard.add(received.text());
                    subscription.get(0).close();
                }
            }));
            Held look = own.hold("read " + TO_A);
            other.send("a", "1");
            other.send("a", "2");
            look.release();
            assertThat(heard).containsExactly("1");
        }

        @Test
        void a_listener_that_fails_hears_each_text_once() {
            List<String> heard = new ArrayList<>();
            LeaseStore.Subscription unused = own.messaging().listen("a", message -> {
                if (message instanceof Received received) {
                    heard.add(received.text());
                    throw new IllegalStateException("of a listener");
                }
            });
            other.send("a", "1");
            other.send("a", "2");
            assertThat(heard).containsExactly("1", "2");
        }

        @Test
        void a_row_keeps_256_texts() {
            IntStream.range(0, 300).forEach(i -> other.send("a", "text " + i));
            assertThat(lines(TO_A)).hasSize(1 + 256).last().asString().endsWith(" text 299");
        }

        @Test
        void a_row_keeps_256_kB_and_the_latest_text_however_long() {
            List<String> heard = hear(own, "a");
            String sixteen = "x".repeat(16 * 1024);
            IntStream.range(0, 20).forEach(i -> other.send("a", sixteen));
            assertThat(lines(TO_A)).hasSize(1 + 16);
            String tooLong = "y".repeat(300 * 1024);
            other.send("a", tooLong);
            assertThat(lines(TO_A)).hasSize(1 + 1);
            assertThat(heard).hasSize(21).last().isEqualTo(tooLong);
        }

        @Test
        void a_row_keeps_the_texts_of_thirty_seconds() {
            other.send("a", "1");
            pass(Duration.ofMillis(1));
            other.send("a", "2");
            pass(Duration.ofSeconds(30));
            other.send("a", "3");
            assertThat(lines(TO_A)).hasSize(1 + 2);
        }

        @Test
        void a_clock_that_jumps_neither_repeats_a_text_nor_loses_the_next() {
            List<String> heard = hear(own, "a");
            other.send("a", "1");
            millis.addAndGet(Duration.ofHours(2).toMillis());
            other.send("a", "2");
            millis.addAndGet(-Duration.ofHours(3).toMillis());
            other.send("a", "3");
            hear(own, "b");
            other.sendToAll("4");
            assertThat(heard).containsExactly("1", "2", "3", "4");
        }

        @Test
        void a_row_is_deleted_when_nothing_was_written_to_it_for_an_hour_and_another_listens() {
            other.send("gone", "1");
            other.sendToAll("2");
            pass(Duration.ofMillis(1));
            other.send("a", "3");
            records.put("p/messages/of another version", new Stored("messages 2\nnobody knows", "1"));
            pass(Duration.ofHours(1));
            List<String> heard = hear(own, "a");
            assertThat(records.find("p/messages/gone")).isNull();
            assertThat(records.find(TO_ALL)).isNull();
            assertThat(records.find(TO_A)).isNotNull();
            assertThat(records.find("p/messages/of another version")).isNotNull();
            other.sendToAll("5");
            assertThat(heard).containsExactly("5");
        }

        @Test
        void a_row_that_is_written_before_it_is_deleted_stays() {
            other.send("comes back", "1");
            pass(Duration.ofHours(2));
            records.beforeNextChange(() -> other.send("comes back", "2"));
            hear(own, "a");
            assertThat(lines("p/messages/comes back")).last().asString().endsWith(" 2");
        }

        @Test
        void a_row_that_is_none_of_messages_is_neither_heard_nor_replaced() {
            List<String> heard = hear(own, "a");
            for (String text : new String[] {
                "", "anything", "messages 1\n", "messages 1\nx 1 1", "messages 1\nx y 1 text", "messages 10\nx 1 1 text"
            }) {
                Stored spoilt = new Stored(text, "1");
                records.put(TO_A, spoilt);
                assertThat(ask(other.messaging().send("a", "lost")))
                        .isInstanceOfSatisfying(NoAnswer.class, none -> assertThat(none.problem())
                                .isEqualTo(StoreProblem.WRONG_TYPE));
                assertThat(records.find(TO_A)).isEqualTo(spoilt);
            }
            other.sendToAll("heard");
            assertThat(heard).containsExactly("heard");
        }

        @Test
        void a_standby_without_the_latest_rows_repeats_nothing_and_loses_nothing_that_follows() {
            List<String> heard = hear(own, "a");
            other.send("a", "1");
            other.sendToAll("2");
            records.detachStandby();
            other.send("a", "3");
            other.sendToAll("4");
            records.promoteStandby();
            other.send("a", "5");
            process().sendToAll("6");
            other.sendToAll("7");
            assertThat(heard).containsExactly("1", "2", "3", "4", "5", "6", "7");
        }

        @Test
        void a_reader_knows_a_thousand_senders_and_those_whose_texts_are_still_there() {
            List<String> heard = hear(own, "a");
            other.sendToAll("stays");
            Process quiet = process();
            quiet.send("a", "goes");
            Stored old = records.find(TO_A);
            hearOthers(0, 998);
            records.put(TO_A, old);
            assertThat(heard).filteredOn("goes"::equals).hasSize(1);
            hearOthers(1_000, 2_000);
            assertThat(heard).filteredOn("stays"::equals).hasSize(1);
            records.put(TO_A, old);
            assertThat(heard)
                    .as("the quietest is forgotten")
                    .filteredOn("goes"::equals)
                    .hasSize(2);
        }

        private void hearOthers(int from, int to) {
            for (int i = from; i < to; i++) {
                records.put(TO_A, new Stored("messages 1\nsender" + i + " 1 1 text", "1"));
            }
        }

        /**
         * Calls are carried out and answered in any order, some get no answer, notifications are lost, and a standby without the last rows takes the
         * store's place.
         */
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void each_text_is_heard_at_most_once_and_in_order_whatever_happens(boolean losesNothing) {
            for (long seed = 0; seed < 100; seed++) {
                Chaos chaos = new Chaos(hasClock, losesNothing, seed);
                chaos.run();
                chaos.assertInOrder();
            }
        }

        private void pass(Duration time) {
            millis.addAndGet(time.toMillis());
            monotonic.addAndGet(time.toNanos());
        }

        private List<String> lines(String key) {
            Stored stored = records.find(key);
            assertThat(stored).isNotNull();
            return stored.text().lines().toList();
        }

        /** Where the store has a clock, that of a process makes no difference. */
        private Process process() {
            long ahead = hasClock ? Duration.ofHours(++processes).toMillis() : 0;
            return new Process(records, monotonic::get, () -> millis.get() + ahead);
        }
    }

    /** Decides how a call of a process ends. */
    @FunctionalInterface
    private interface Script {

        /**
         * Returns the answer.
         *
         * @param carriedOut carries the call out
         */
        CompletionStage<?> answer(Supplier<CompletionStage<?>> carriedOut);
    }

    /** A call that has no answer yet, and is not carried out yet either. */
    private static final class Held {

        private final CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        private Supplier<CompletionStage<?>> call = () -> answer;
        private boolean isWrite;
        private @Nullable Object found;

        CompletionStage<?> hold(Supplier<CompletionStage<?>> held) {
            call = held;
            return answer;
        }

        void carryOut() {
            if (found == null) {
                found = call.get().toCompletableFuture().join();
            }
        }

        void release() {
            carryOut();
            answer.complete(found);
        }

        void fail() {
            answer.complete(failed().join());
        }
    }

    /** A process, and what happens to its calls. */
    private static final class Process {

        private final List<Consumer<Change>> watchers = new ArrayList<>();
        private final List<String> calls = new ArrayList<>();
        private final Map<String, Deque<Script>> scripts = new HashMap<>();
        private final InMemoryRecordStore records;
        private final LeaseStore store;

        private Function<String, Script> usual = call -> RecordMessagesTest::asAlways;
        private Predicate<Change> hears = change -> true;

        Process(InMemoryRecordStore records, LongSupplier nanos, LongSupplier wall) {
            this.records = records;
            RecordStore scripted = (RecordStore) Proxy.newProxyInstance(
                    RecordMessagesTest.class.getClassLoader(),
                    new Class<?>[] {RecordStore.class},
                    (proxy, method, arguments) -> call(method, arguments));
            this.store = new RecordLeaseStore(scripted, "p/", new LeaseRules(5), nanos, wall);
        }

        private Object call(Method method, Object[] arguments) {
            switch (method.getName()) {
                case "passesMessages":
                    return true;
                case "watch":
                    @SuppressWarnings("unchecked")
                    Consumer<Change> watcher = (Consumer<Change>) arguments[1];
                    watchers.add(watcher);
                    LeaseStore.Subscription watch = records.watch((String) arguments[0], change -> {
                        if (hears.test(change)) {
                            watcher.accept(change);
                        }
                    });
                    return (LeaseStore.Subscription) () -> {
                        watchers.remove(watcher);
                        watch.close();
                    };
                case "read", "replace":
                    String call = method.getName() + " " + arguments[0];
                    calls.add(call);
                    Script script =
                            scripts.getOrDefault(call, new ArrayDeque<>()).poll();
                    return (script == null ? usual.apply(call) : script)
                            .answer(() -> (CompletionStage<?>) carryOut(method, arguments));
                default:
                    return carryOut(method, arguments);
            }
        }

        private Object carryOut(Method method, Object[] arguments) {
            try {
                return method.invoke(records, arguments);
            } catch (IllegalAccessException | InvocationTargetException failure) {
                throw new AssertionError(failure);
            }
        }

        /** Sets how the next such call ends, after those that were set before. */
        void next(String call, Script script) {
            scripts.computeIfAbsent(call, first -> new ArrayDeque<>()).add(script);
        }

        Held hold(String call) {
            Held held = new Held();
            next(call, held::hold);
            return held;
        }

        MemberMessaging messaging() {
            return store.memberStore().flatMap(MemberStore::messaging).orElseThrow();
        }

        void send(String instance, String text) {
            assertThat(ask(messaging().send(instance, text))).isInstanceOf(AnnounceReply.Announced.class);
        }

        void sendToAll(String text) {
            assertThat(ask(messaging().sendToAll(text))).isInstanceOf(AnnounceReply.Announced.class);
        }
    }

    /** Processes whose calls end in an order that the seed says. */
    private static final class Chaos {

        private static final int TEXTS = 40;
        private static final int STEPS = 20_000;

        private final long seed;
        private final boolean losesNothing;
        private final Random random;
        private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
        private final InMemoryRecordStore records;
        private final List<Process> processes = new ArrayList<>();
        private final List<Held> held = new ArrayList<>();
        private final Map<String, List<String>> heard = new TreeMap<>();
        private final Map<String, List<String>> sent = new TreeMap<>();

        private int texts;

        Chaos(boolean hasClock, boolean losesNothing, long seed) {
            this.seed = seed;
            this.losesNothing = losesNothing;
            this.random = new Random(seed);
            this.records = hasClock
                    ? InMemoryRecordStore.withClock(millis::get)
                    : InMemoryRecordStore.withoutClock(millis::get);
            for (String name : List.of("a", "b", "c")) {
                Process process = new Process(records, () -> millis.get() * 1_000_000, millis::get);
                processes.add(process);
                sent.put(name, new ArrayList<>());
                heard.put(name, hear(process, name));
                process.usual = call -> carriedOut -> {
                    Held one = new Held();
                    one.isWrite = call.startsWith("replace");
                    held.add(one);
                    return one.hold(carriedOut);
                };
                process.hears = change -> random.nextInt(4) > 0;
            }
            records.detachStandby();
        }

        void run() {
            finish();
            processes.forEach(process -> process.watchers.forEach(watcher -> watcher.accept(Change.TEXT)));
            finish();
        }

        private void finish() {
            for (int i = 0; texts < TEXTS || !held.isEmpty(); i++) {
                assertThat(i)
                        .as("steps until all calls have ended, seed %d", seed)
                        .isLessThan(STEPS);
                step();
            }
        }

        private void step() {
            int kind = random.nextInt(20);
            if (kind < 4 && texts < TEXTS) {
                send();
            } else if (kind < 5) {
                any(any(processes).watchers).accept(Change.TEXT);
            } else if (kind < 6 && !losesNothing) {
                loseSomething();
            } else if (!held.isEmpty()) {
                Held one = any(held);
                one.carryOut();
                if (random.nextBoolean()) {
                    held.remove(one);
                    one.release();
                }
            }
        }

        private void loseSomething() {
            switch (random.nextInt(6)) {
                case 0 -> records.detachStandby();
                case 1 -> records.promoteStandby();
                case 2 -> millis.addAndGet(random.nextInt(20_000));
                default -> held.stream().filter(one -> one.isWrite).findAny().ifPresent(Held::fail);
            }
        }

        private void send() {
            String from = any(List.copyOf(sent.keySet()));
            String to = any(List.of("a", "b", "c", "*"));
            String text = from + " " + texts++ + " to " + to;
            MemberMessaging messaging = processes.get("abc".indexOf(from)).messaging();
            CompletionStage<AnnounceReply> unused =
                    to.equals("*") ? messaging.sendToAll(text) : messaging.send(to, text);
            sent.get(from).add(text);
        }

        private <T> T any(List<T> some) {
            return some.get(random.nextInt(some.size()));
        }

        void assertInOrder() {
            heard.forEach((receiver, texts) -> sent.forEach((sender, all) -> {
                List<String> meant = all.stream()
                        .filter(text -> text.endsWith(" to " + receiver) || text.endsWith("*"))
                        .toList();
                List<String> found =
                        texts.stream().filter(text -> text.startsWith(sender)).toList();
                List<String> expected = losesNothing
                        ? meant
                        : meant.stream().filter(found::contains).toList();
                assertThat(found)
                        .as("%s hears of %s, seed %d", receiver, sender, seed)
                        .isEqualTo(expected);
            }));
        }
    }

    /** The texts that an instance hears from here on. */
    private static List<String> hear(Process process, String instance) {
        List<String> heard = new ArrayList<>();
        AtomicInteger connected = new AtomicInteger();
        LeaseStore.Subscription unused = process.messaging().listen(instance, message -> {
            if (message instanceof Received received) {
                heard.add(received.text());
            } else {
                connected.incrementAndGet();
            }
        });
        assertThat(connected).hasValue(1);
        return heard;
    }

    private static CompletionStage<?> asAlways(Supplier<CompletionStage<?>> carriedOut) {
        return carriedOut.get();
    }

    private static CompletableFuture<Failed> failed() {
        return CompletableFuture.completedFuture(
                new Failed(new NoAnswer(StoreProblem.TIMED_OUT, "the answer of this test")));
    }

    private static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
