package dev.election.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LeadershipEvent.Acquired;
import dev.election.LeadershipEvent.StoreFailed;
import dev.election.LeadershipEvent.StoreRecovered;
import dev.election.StoreProblem;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** All events of all nodes, in the order in which their election threads announced them. */
public final class Journal {

    /** What a node announced. */
    public record Entry(String node, LeadershipEvent event) {}

    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
    private volatile int page;

    void add(String node, LeadershipEvent event) {
        entries.add(new Entry(node, event));
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** The events of that kind, by all nodes. */
    public <E extends LeadershipEvent> List<E> events(Class<E> kind) {
        return of(kind, entries.stream()).toList();
    }

    /** The events of that kind, by that node. */
    public <E extends LeadershipEvent> List<E> events(Class<E> kind, String node) {
        return of(kind, entries.stream().filter(entry -> entry.node().equals(node)))
                .toList();
    }

    /** The tokens in the order of their grants. */
    public List<FencingToken> tokens() {
        return events(Acquired.class).stream()
                .map(acquired -> acquired.leader().token())
                .toList();
    }

    /** What the nodes have announced to be wrong with the store since the last {@link #turnPage()}, whoever and how often. */
    public Set<StoreProblem> problems() {
        Set<StoreProblem> problems = EnumSet.noneOf(StoreProblem.class);
        of(StoreFailed.class, entries.stream().skip(page)).forEach(failed -> problems.add(failed.problem()));
        return problems;
    }

    /** The {@link #problems()} that the server has answered with. On a machine that is busy, any answer can be late as well. */
    public Set<StoreProblem> answeredProblems() {
        Set<StoreProblem> problems = problems();
        problems.remove(StoreProblem.TIMED_OUT);
        return problems;
    }

    /** Leaves aside what was wrong until now: a client that loads its classes may be too slow for a short lease. */
    public void turnPage() {
        page = entries.size();
    }

    void assertThatTokensRise() {
        List<FencingToken> tokens = tokens();
        assertThat(tokens).as("tokens in grant order, of %s", entries()).isSorted();
        assertThat(tokens).as("tokens, of %s", entries()).doesNotHaveDuplicates();
    }

    /** No problem twice without a recovery in between, and no recovery of what was well. */
    void assertThatEachProblemIsAnnouncedOnceAnIncident() {
        Map<String, Set<StoreProblem>> open = new HashMap<>();
        for (Entry entry : entries()) {
            Set<StoreProblem> problems = open.computeIfAbsent(entry.node(), node -> EnumSet.noneOf(StoreProblem.class));
            if (entry.event() instanceof StoreFailed failed) {
                assertThat(problems.add(failed.problem()))
                        .as("%s is the first of its incident in %s", failed, entries())
                        .isTrue();
            } else if (entry.event() instanceof StoreRecovered recovered) {
                assertThat(problems)
                        .as("what %s has recovered from in %s", recovered, entries())
                        .isNotEmpty();
                problems.clear();
            }
        }
    }

    private static <E extends LeadershipEvent> Stream<E> of(Class<E> kind, Stream<Entry> entries) {
        return entries.map(Entry::event).filter(kind::isInstance).map(kind::cast);
    }
}
