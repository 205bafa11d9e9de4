package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.store.LedgerStore;
import dev.election.store.LedgerStore.Forgotten;
import dev.election.store.LedgerStore.Opened;
import dev.election.store.LedgerStore.Superseded;
import dev.election.store.LedgerStore.TooLate;
import dev.election.store.LedgerStore.Usable;
import dev.election.store.LedgerStore.Written;
import dev.election.store.NoAnswer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The contract of all ledger stores. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class LedgerStoreContract {

    private static final FencingToken FIRST = new FencingToken(10);
    private static final FencingToken SECOND = new FencingToken(20);

    /** The store under test, without a ledger of the election. */
    protected abstract LedgerStore ledger();

    /** A name that no other test uses. */
    protected abstract String election();

    /** Makes the store lose all that is written of the election. */
    protected abstract void forget();

    /** Makes the ledger of the election, which is open, look as if it had been begun by so much earlier. */
    protected abstract void putBack(Duration time);

    /** Lets the ledger of the election look as if an earlier incarnation of the store had written it. */
    protected abstract void changeIncarnation();

    /** Lets the next leader have seen its connection for a day, in a store that can't name its incarnation. */
    protected void seeForADay() {}

    @Test
    void a_new_ledger_is_empty_and_unknown() throws Exception {
        assertOpened(open(FIRST), Map.of(), false);
    }

    @Test
    void anybody_reads_a_ledger_without_opening_it() throws Exception {
        assertThat(read(ledger())).isEmpty();
        assertOpened(open(FIRST), Map.of(), false);
        write(FIRST, Map.of("a", "1", "b", "2"), Set.of());

        assertThat(read(ledger())).isEqualTo(Map.of("a", "1", "b", "2"));
        assertThat(write(FIRST, Map.of(), Set.of("b"))).isInstanceOf(Written.class);
        assertThat(read(ledger())).isEqualTo(Map.of("a", "1"));
    }

    @Test
    void a_ledger_beside_another_has_entries_and_an_opener_of_its_own() throws Exception {
        LedgerStore beside = ledger().beside("runs");
        open(SECOND);
        write(SECOND, Map.of("a", "1"), Set.of());

        assertOpened(get(beside.open(election(), FIRST)), Map.of(), false);
        assertThat(get(beside.write(election(), FIRST, Map.of("a", "2"), Set.of())))
                .isInstanceOf(Written.class);
        assertThat(read(beside)).isEqualTo(Map.of("a", "2"));
        assertThat(read(ledger().beside("runs"))).isEqualTo(Map.of("a", "2"));
        assertThat(read(ledger())).isEqualTo(Map.of("a", "1"));
    }

    @Test
    void a_look_at_a_ledger_changes_nothing() throws Exception {
        assertThat(check()).isEqualTo(new Usable());
        assertOpened(open(FIRST), Map.of(), false);
        write(FIRST, Map.of("a", "1"), Set.of());
        assertThat(check()).isEqualTo(new Usable());
        assertOpened(open(SECOND), Map.of("a", "1"), true);
    }

    @Test
    void a_change_of_no_entry_tells_what_another_change_would_and_changes_nothing() throws Exception {
        assertThat(write(FIRST, Map.of(), Set.of())).isEqualTo(new Forgotten());
        assertOpened(open(SECOND), Map.of(), false);
        write(SECOND, Map.of("a", "1"), Set.of());

        assertThat(write(FIRST, Map.of(), Set.of())).isEqualTo(new Superseded());
        assertThat(write(SECOND, Map.of(), Set.of())).isInstanceOf(Written.class);
        assertOpened(open(SECOND), Map.of("a", "1"), true);
    }

    @Test
    void a_successor_reads_what_was_written_last_and_not_removed() throws Exception {
        open(FIRST);
        write(FIRST, Map.of("a", "1", "b", "2", "c", "a b,ü\n3"), Set.of());
        write(FIRST, Map.of("b", "4"), Set.of("a", "never written"));

        assertOpened(open(SECOND), Map.of("b", "4", "c", "a b,ü\n3"), true);
    }

    @Test
    void the_same_leader_may_open_it_again() throws Exception {
        open(FIRST);
        write(FIRST, Map.of("a", "1"), Set.of());

        assertOpened(open(FIRST), Map.of("a", "1"), true);
        assertThat(write(FIRST, Map.of("a", "2"), Set.of())).isInstanceOf(Written.class);
    }

    @Test
    void an_older_leader_can_neither_open_nor_change_it() throws Exception {
        open(FIRST);
        write(FIRST, Map.of("a", "1"), Set.of());
        open(SECOND);

        assertThat(write(FIRST, Map.of("a", "2"), Set.of())).isEqualTo(new Superseded());
        assertThat(write(FIRST, Map.of(), Set.of("a"))).isEqualTo(new Superseded());
        assertThat(open(FIRST)).isEqualTo(new Superseded());
        assertOpened(open(SECOND), Map.of("a", "1"), true);
    }

    @Test
    void what_no_leader_decides_by_is_added_whichever_leader_has_opened_the_ledger() throws Exception {
        assertThat(get(ledger().amend(election(), Map.of("a", "0")))).isEqualTo(new Forgotten());
        open(SECOND);
        write(SECOND, Map.of("a", "1", "b", "1"), Set.of());

        assertThat(get(ledger().amend(election(), Map.of("a", "2", "c", "2")))).isInstanceOf(Written.class);

        assertThat(read(ledger())).isEqualTo(Map.of("a", "2", "b", "1", "c", "2"));
        assertThat(write(FIRST, Map.of("a", "3"), Set.of())).isEqualTo(new Superseded());
        assertThat(write(SECOND, Map.of("a", "4"), Set.of())).isInstanceOf(Written.class);
    }

    @Test
    void nothing_is_written_in_a_ledger_that_the_store_has_lost_until_it_is_opened_again() throws Exception {
        open(FIRST);
        write(FIRST, Map.of("a", "1"), Set.of());
        forget();

        assertThat(write(FIRST, Map.of("b", "2"), Set.of())).isEqualTo(new Forgotten());
        assertOpened(open(FIRST), Map.of(), false);
        assertThat(write(FIRST, Map.of("b", "2"), Set.of())).isInstanceOf(Written.class);
    }

    @Test
    void nothing_is_written_by_a_leader_whose_opening_the_store_has_lost_until_it_opens_the_ledger_again()
            throws Exception {
        open(FIRST);
        write(FIRST, Map.of("a", "1"), Set.of());

        assertThat(write(SECOND, Map.of("a", "2"), Set.of())).isEqualTo(new Forgotten());
        assertThat(write(SECOND, Map.of(), Set.of())).isEqualTo(new Forgotten());
        assertOpened(open(SECOND), Map.of("a", "1"), true);
        assertThat(write(SECOND, Map.of("a", "2"), Set.of())).isInstanceOf(Written.class);
        assertThat(write(FIRST, Map.of("a", "3"), Set.of())).isEqualTo(new Superseded());
    }

    @Test
    void a_change_whose_time_is_over_is_not_made() throws Exception {
        Instant opened = ((Opened) open(FIRST)).at();
        write(FIRST, Map.of("a", "1", "c", "1"), Set.of());

        assertThat(change(
                        FIRST,
                        new LedgerStore.Change(
                                Map.of("a", "2", "b", "2"), Set.of("c"), Set.of("d"), opened.minusMillis(1))))
                .isInstanceOfSatisfying(
                        TooLate.class, late -> assertThat(late.at()).isAfterOrEqualTo(opened));
        assertThat(read(ledger())).isEqualTo(Map.of("a", "1", "c", "1"));

        assertThat(change(
                        FIRST, new LedgerStore.Change(Map.of("a", "2"), Set.of("c"), Set.of(), opened.plusSeconds(60))))
                .isInstanceOf(Written.class);
        assertThat(read(ledger())).isEqualTo(Map.of("a", "2"));
    }

    @Test
    void the_store_stamps_entries_with_the_time_at_which_it_makes_the_change() throws Exception {
        Instant opened = ((Opened) open(FIRST)).at();

        LedgerStore.WriteReply reply =
                change(FIRST, new LedgerStore.Change(Map.of("a", "1"), Set.of(), Set.of("b"), null));

        assertThat(reply).isInstanceOf(Written.class);
        Instant at = ((Written) reply).at();
        assertThat(at).isBetween(opened, opened.plusSeconds(60));
        assertThat(read(ledger())).isEqualTo(Map.of("a", "1", "b", Long.toString(at.toEpochMilli())));
    }

    @Test
    void a_ledger_in_a_store_that_was_there_all_the_time_has_lost_nothing() throws Exception {
        open(FIRST);
        putBack(Duration.ofDays(1));

        assertThat(intactFor(SECOND)).isGreaterThan(Duration.ofHours(23));
    }

    @Test
    void whoever_opens_a_ledger_learns_what_time_it_is() throws Exception {
        Instant first = ((Opened) open(FIRST)).at();
        Instant second = ((Opened) open(FIRST)).at();

        assertThat(first).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        assertThat(second).isAfterOrEqualTo(first);
    }

    @Test
    void a_ledger_that_was_written_in_another_incarnation_of_the_store_may_have_lost_what_was_written_before()
            throws Exception {
        open(FIRST);
        write(FIRST, Map.of("a", "1"), Set.of());
        putBack(Duration.ofDays(1));
        changeIncarnation();

        assertThat(intactFor(SECOND)).isLessThan(Duration.ofHours(1));
        assertThat(intactFor(new FencingToken(30)))
                .as("for the leader after that, too")
                .isLessThan(Duration.ofHours(1));
        assertOpened(open(new FencingToken(40)), Map.of("a", "1"), true);
    }

    @Test
    void a_ledger_that_its_living_leader_has_written_again_since_a_loss_is_as_intact_as_before() throws Exception {
        open(FIRST);
        write(FIRST, Map.of("a", "1", "old", "1"), Set.of());
        putBack(Duration.ofDays(1));
        changeIncarnation();
        open(FIRST);

        assertThat(restore(FIRST, Map.of("a", "2"), Set.of("old"))).isInstanceOf(Written.class);
        seeForADay();

        assertThat(intactFor(SECOND)).isGreaterThan(Duration.ofHours(1));
        assertOpened(open(SECOND), Map.of("a", "2"), true);
    }

    @Test
    void a_new_ledger_is_intact_from_when_its_leader_says_that_there_was_none_before() throws Exception {
        open(FIRST);
        assertThat(intactFor(FIRST)).isLessThan(Duration.ofHours(1));

        assertThat(restore(FIRST, Map.of(), Set.of())).isInstanceOf(Written.class);

        assertThat(intactFor(SECOND)).isGreaterThan(Duration.ofHours(1));
    }

    @Test
    void a_ledger_is_not_intact_if_the_store_may_have_lost_something_since_its_leader_opened_it_to_write_it_again()
            throws Exception {
        open(FIRST);
        putBack(Duration.ofDays(1));
        changeIncarnation();

        assertThat(restore(FIRST, Map.of("a", "2"), Set.of())).isInstanceOf(Written.class);

        assertThat(intactFor(SECOND)).isLessThan(Duration.ofHours(1));
        assertOpened(open(SECOND), Map.of("a", "2"), true);
    }

    @Test
    void a_leader_that_was_replaced_since_it_opened_a_ledger_restores_nothing() throws Exception {
        open(FIRST);
        putBack(Duration.ofDays(1));
        changeIncarnation();
        open(FIRST);
        open(SECOND);

        assertThat(restore(FIRST, Map.of("a", "2"), Set.of())).isEqualTo(new Superseded());

        assertThat(intactFor(new FencingToken(30))).isLessThan(Duration.ofHours(1));
    }

    @Test
    void much_may_be_written_at_once() throws Exception {
        Map<String, String> much = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            much.put("entry " + i, "value " + i);
        }
        open(FIRST);
        assertThat(write(FIRST, much, Set.of())).isInstanceOf(Written.class);

        assertOpened(open(SECOND), much, true);
    }

    @Test
    void a_change_that_is_too_large_for_the_store_is_refused_as_a_whole_with_what_to_do() throws Exception {
        open(FIRST);
        write(FIRST, Map.of("a", "1", "b", "1"), Set.of());
        Map<String, String> large = Map.of("a", "2", "job-with-much-to-say", "x".repeat(300_000));

        LedgerStore.WriteReply reply = write(FIRST, large, Set.of("b"));

        if (reply instanceof Written) {
            assertThat(read(ledger())).isEqualTo(large);
            return;
        }
        assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, refused -> {
            assertThat(refused.problem()).isEqualTo(StoreProblem.TOO_LARGE);
            assertThat(refused.detail()).contains(election()).contains("job-with-much-to-say");
            assertThat(refused.action()).contains("let some of its jobs use another election");
        });
        assertThat(read(ledger())).isEqualTo(Map.of("a", "1", "b", "1"));
        assertThat(write(FIRST, Map.of("a", "3"), Set.of("b"))).isInstanceOf(Written.class);
        assertOpened(open(SECOND), Map.of("a", "3"), true);
    }

    private static void assertOpened(LedgerStore.OpenReply reply, Map<String, String> entries, boolean known) {
        assertThat(reply).isInstanceOfSatisfying(Opened.class, opened -> {
            assertThat(opened.entries()).isEqualTo(entries);
            assertThat(opened.known()).isEqualTo(known);
        });
    }

    private Duration intactFor(FencingToken token) throws Exception {
        return ((Opened) open(token)).intactFor();
    }

    private LedgerStore.OpenReply open(FencingToken token) throws Exception {
        return get(ledger().open(election(), token));
    }

    private LedgerStore.CheckReply check() throws Exception {
        return get(ledger().check(election()));
    }

    private LedgerStore.WriteReply write(FencingToken token, Map<String, String> put, Set<String> removed)
            throws Exception {
        return get(ledger().write(election(), token, put, removed));
    }

    private LedgerStore.WriteReply change(FencingToken token, LedgerStore.Change change) throws Exception {
        return get(ledger().write(election(), token, change));
    }

    /** Restores a ledger whose leader knows all that was written in the last day. */
    private LedgerStore.WriteReply restore(FencingToken token, Map<String, String> put, Set<String> removed)
            throws Exception {
        return get(ledger().restore(
                        election(),
                        token,
                        new LedgerStore.Change(put, removed, Set.of(), null),
                        Instant.now().minus(Duration.ofDays(1))));
    }

    private Map<String, String> read(LedgerStore from) throws Exception {
        assertThat(get(from.read(election()))).isInstanceOf(LedgerStore.Contents.class);
        return ((LedgerStore.Contents) get(from.read(election()))).entries();
    }

    private static <T> T get(CompletionStage<T> reply) throws Exception {
        return reply.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
