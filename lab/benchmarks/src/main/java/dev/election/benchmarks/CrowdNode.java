package dev.election.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The main class of a process with many nodes, each with connections of its own, as {@link Crowd} wants them. Driven as {@link Node} is.
 */
public final class CrowdNode {

    private final String id;
    private final int redisPort;
    private final Duration lease;
    private final Voice voice = new Voice(System.out);
    private final Warnings warnings = Warnings.count();
    private final List<Participant> participants = new ArrayList<>();

    private CrowdNode(String id, int redisPort, Duration lease) {
        this.id = id;
        this.redisPort = redisPort;
        this.lease = lease;
    }

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the process, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws Exception {
        CrowdNode node = new CrowdNode(
                arguments[0], Integer.parseInt(arguments[1]), Duration.ofMillis(Long.parseLong(arguments[2])));
        try {
            node.obey();
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private void obey() throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            obey(line.split(" ", -1));
        }
    }

    private void obey(String[] command) throws InterruptedException {
        switch (command[0]) {
            case "hello" -> voice.say("HELLO", System.nanoTime());
            case "open" -> open(Library.valueOf(command[1]), Integer.parseInt(command[2]));
            case "start" -> {
                long begun = System.nanoTime();
                participants.forEach(participant -> participant.start(Integer.parseInt(command[1])));
                voice.say("STARTED", begun);
            }
            case "settle" -> settle(Duration.ofMillis(Long.parseLong(command[1])));
            case "abdicate" -> {
                leader().abdicate();
                voice.say("ABDICATED", System.nanoTime());
            }
            case "tally" -> voice.say("TALLY", tally().line());
            default -> throw new IllegalArgumentException(command[0]);
        }
    }

    private void open(Library library, int count) {
        Library.Opener opener = library.opener(redisPort, lease);
        for (int number = 0; number < count; number++) {
            participants.add(opener.open(id + "-" + number));
        }
        voice.say("OPENED", System.nanoTime());
    }

    private void settle(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        int settled = 0;
        for (Participant participant : participants) {
            if (participant.awaitResults(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
                settled++;
            }
        }
        voice.say("SETTLED", settled);
    }

    private Participant leader() {
        return participants.stream()
                .filter(participant -> participant.tally().led() > 0)
                .findFirst()
                .orElseThrow();
    }

    private Tally tally() {
        Tally all = Tally.sum(participants.stream().map(Participant::tally).toList());
        return all.plus(new Tally(0, 0, 0, warnings.lines()));
    }
}
