package dev.election.faults.node;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.faults.history.Entry;
import dev.election.members.Member;
import dev.election.members.Members;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Takes part in the election, tells what it believes and writes, and obeys a few words on standard input. */
public final class Node {

    /** Prefix of all keys of the elections. */
    public static final String KEY_PREFIX = "faults";

    /** The name of the election of every group, or of the group of partitions. Where there are more elections, they have a number behind it. */
    public static final String ELECTION = "e";

    private final NodeSettings settings;
    private final Participant participant;
    private final Voice voice = new Voice();

    public Node(NodeSettings settings, Participant participant) {
        this.settings = settings;
        this.participant = participant;
    }

    /** A node of which nothing is switched off. */
    public static void main(String[] arguments) throws Exception {
        NodeSettings settings = NodeSettings.of(arguments);
        new Node(settings, EngineParticipant.of(settings)).run();
    }

    /** Runs until standard input ends: a node does not outlive its harness. */
    public void run() throws IOException, SQLException {
        Election election = participant.election(settings.election(0));
        String key = settings.id().substring(0, settings.id().indexOf('-'));
        LeaderWorker worker = new LeaderWorker(
                settings.id(),
                election,
                List.of(new FencedKey(settings.fencePort(), key), new FencedRow(settings.fenceTable(), key)),
                voice);
        Runtime.getRuntime().addShutdownHook(new Thread(participant::leave, "leave"));
        new BeliefPoll(settings.id(), election, others(), voice).start();
        participant
                .members()
                .ifPresent(members -> members.addListener(
                        event -> voice.say(new Entry.Sees(settings.id(), ids(members), System.nanoTime()))));
        participant.start();
        voice.say(new Entry.Joined(settings.id(), System.nanoTime()));
        worker.start();
        new UsageReport(settings.id(), voice).start();
        obey(election, worker);
        Runtime.getRuntime().halt(0);
    }

    private static List<String> ids(Members members) {
        return members.all().stream().map(Member::id).sorted().toList();
    }

    private Map<String, Election> others() {
        return IntStream.range(1, settings.elections())
                .mapToObj(settings::election)
                .collect(Collectors.toMap(Function.identity(), participant::election));
    }

    private static void obey(Election election, LeaderWorker worker) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "hang" -> worker.hangFor(Duration.parse(words[1]));
                case "abdicate" -> {
                    Abdication how = words.length == 1 ? Abdication.toAnyone() : Abdication.to(words[1]);
                    var unused = election.abdicate(how);
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
    }
}
