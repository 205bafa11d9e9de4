package dev.election.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordWatch.Listener;
import dev.election.store.NoAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Faults of a watch are tried over servers, by the stores. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecordWatchTest {

    /** The next events of the store. The thread of the watch takes and carries them out. */
    private final BlockingQueue<Consumer<Listener>> next = new LinkedBlockingQueue<>();

    private final BlockingQueue<Set<String>> listened = new LinkedBlockingQueue<>();
    private final BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
    private final RecordWatch watch =
            new RecordWatch("record-watch-test", "the texts", Duration.ofSeconds(3), new RecordWatch.Source() {
                @Override
                public RecordWatch.Feed open() {
                    return new Listening();
                }

                @Override
                public NoAnswer answer(Throwable failure) {
                    return new NoAnswer(StoreProblem.UNKNOWN, failure.toString());
                }

                @Override
                public String part(String key) {
                    return key.substring(0, 1);
                }
            });

    private final class Listening implements RecordWatch.Feed {

        private volatile boolean isClosed;

        @Override
        public void listen(Set<String> parts, Listener listener) throws Exception {
            listener.listed();
            listener.begun();
            listened.add(parts);
            while (!isClosed) {
                next.take().accept(listener);
            }
            throw new IOException("closed");
        }

        @Override
        public void close() {
            isClosed = true;
            next.add(listener -> {});
        }
    }

    @AfterEach
    void close() {
        watch.close();
    }

    private void event(String key, long version) {
        next.add(listener -> listener.shown(
                key,
                version,
                new Read(new Stored("text " + version, ""), new Origin(null, Continuity.ofConnection("c")))));
    }

    private String text() throws InterruptedException {
        return ((Change.Text) heard.poll(10, TimeUnit.SECONDS)).read().stored().text();
    }

    @Test
    void an_event_that_a_reply_has_overtaken_is_not_passed_on_until_the_store_was_replaced() throws Exception {
        watch.add("a", heard::add);
        listened.take();
        event("a", 5);
        assertThat(text()).isEqualTo("text 5");
        watch.noticed("a", 7);
        event("a", 6);
        event("a", 7);
        assertThat(text()).isEqualTo("text 7");
        watch.noticed("a", 9);
        watch.replaced();
        listened.take();
        event("a", 3);
        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(Change.CONNECTION);
        assertThat(text()).isEqualTo("text 3");
    }

    @Test
    void the_watch_begins_again_for_a_key_in_another_part_only() throws Exception {
        watch.add("a1", heard::add);
        assertThat(listened.take()).containsExactly("a");
        watch.add("a2", heard::add);
        event("a2", 1);
        assertThat(text()).isEqualTo("text 1");
        assertThat(listened).isEmpty();
        watch.add("b", heard::add);
        assertThat(listened.poll(10, TimeUnit.SECONDS)).containsExactly("a", "b");
    }
}
