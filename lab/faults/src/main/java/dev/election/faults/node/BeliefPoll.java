package dev.election.faults.node;

import dev.election.Election;
import dev.election.Leadership;
import dev.election.faults.history.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks {@code isLeader()} again and again. Each answer lies between two readings of the clock: a process that is stopped between
 * the question and the reading would otherwise seem to believe for longer than it does.
 */
final class BeliefPoll extends Thread {

    private static final long PAUSE = Duration.ofMillis(4).toNanos();
    private static final long STALL = Duration.ofMillis(30).toNanos();

    /** A killed process can't tell when it believed last: so it says that it still does, this often. */
    private static final long REPEAT = Duration.ofMillis(50).toNanos();

    private final String node;
    private final Election election;
    private final List<Watched> watched = new ArrayList<>();
    private final Voice voice;

    private boolean informed;

    BeliefPoll(String node, Election election, Map<String, Election> others, Voice voice) {
        super("belief-poll");
        this.node = node;
        this.election = election;
        this.voice = voice;
        watched.add(new Watched(election, voice::say));
        others.forEach((name, other) -> watched.add(new Watched(
                other,
                answer -> voice.say(new Entry.Elsewhere(
                        name, node, answer.leads(), answer.token(), answer.askedAt(), answer.answeredAt())))));
        setDaemon(true);
    }

    @Override
    public void run() {
        long lastEnd = System.nanoTime();
        while (true) {
            long begin = System.nanoTime();
            if (begin - lastEnd > STALL) {
                voice.say(new Entry.Stalled(node, lastEnd, begin));
            }
            watched.forEach(Watched::look);
            lastEnd = System.nanoTime();
            if (lastEnd - begin > STALL) {
                voice.say(new Entry.Stalled(node, begin, lastEnd));
            }
            if (!informed && election.leader().isPresent()) {
                informed = true;
                voice.say(new Entry.Informed(node, System.nanoTime()));
            }
            LockSupport.parkNanos(PAUSE);
        }
    }

    /** One election: the latest belief of this node, and the last one that it recorded. */
    private final class Watched {

        private final Election election;
        private final Consumer<Entry.Answer> teller;
        private Entry.Answer last;
        private Entry.Answer said;

        Watched(Election election, Consumer<Entry.Answer> teller) {
            this.election = election;
            this.teller = teller;
            this.last = new Entry.Answer(node, false, 0, System.nanoTime(), System.nanoTime());
            this.said = last;
        }

        void look() {
            Entry.Answer answer = ask();
            if (answer != null) {
                hear(answer);
            }
        }

        /** Nothing if the leadership ended before its token could be read. */
        private Entry.@Nullable Answer ask() {
            long askedAt = System.nanoTime();
            boolean leads = election.isLeader();
            long answeredAt = System.nanoTime();
            if (!leads) {
                return new Entry.Answer(node, false, 0, askedAt, answeredAt);
            }
            Optional<Leadership> leadership = election.leadership();
            return leadership
                    .map(held -> new Entry.Answer(node, true, held.token().value(), askedAt, answeredAt))
                    .orElse(null);
        }

        private void hear(Entry.Answer answer) {
            boolean changed = answer.leads() != last.leads() || answer.token() != last.token();
            if (changed && last.leads()) {
                say(last);
            }
            if (changed || (answer.leads() && answer.askedAt() - said.askedAt() > REPEAT)) {
                say(answer);
            }
            last = answer;
        }

        private void say(Entry.Answer answer) {
            if (!answer.equals(said)) {
                teller.accept(answer);
                said = answer;
            }
        }
    }
}
