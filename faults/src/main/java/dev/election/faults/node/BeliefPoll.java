package dev.election.faults.node;

import dev.election.Election;
import dev.election.Leadership;
import dev.election.faults.history.Entry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
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
    private final Voice voice;

    private Entry.Answer last;
    private Entry.Answer said;
    private boolean informed;

    BeliefPoll(String node, Election election, Voice voice) {
        super("belief-poll");
        this.node = node;
        this.election = election;
        this.voice = voice;
        this.last = new Entry.Answer(node, false, 0, System.nanoTime(), System.nanoTime());
        this.said = last;
        setDaemon(true);
    }

    @Override
    public void run() {
        while (true) {
            Entry.Answer answer = ask();
            if (answer != null) {
                if (answer.askedAt() - last.answeredAt() > STALL) {
                    voice.say(new Entry.Stalled(node, last.answeredAt(), answer.askedAt()));
                }
                hear(answer);
            }
            if (!informed && election.leader().isPresent()) {
                informed = true;
                voice.say(new Entry.Informed(node, System.nanoTime()));
            }
            LockSupport.parkNanos(PAUSE);
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
            voice.say(answer);
            said = answer;
        }
    }
}
