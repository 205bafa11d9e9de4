package dev.election.playground;

import com.example.sample.replicas.ClassPathFile;
import com.example.sample.replicas.ReplicaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Three replicas and their Redis, and all that may be done to them. */
final class Machine {

    static final Duration DIGEST_PERIOD = Duration.ofSeconds(2);

    /** Slots are claimed before they run, so that none runs twice at whatever moment a leader is killed. */
    private static final List<String> ARGUMENTS =
            List.of("--sample.digest-cron=0/2 * * * * ?", "--election.quartz.confirm-claims=true");

    /** Longer than {@code election.shutdown.await}. */
    private static final Duration LONGEST_END = Duration.ofSeconds(40);

    private final Redis redis;
    private final Journal journal;
    private final List<Member> members;

    private Machine(Redis redis, Journal journal, List<Member> members) {
        this.redis = redis;
        this.journal = journal;
        this.members = List.copyOf(members);
    }

    /** Starts the replicas and returns at once. */
    static Machine start(Redis redis, Journal journal, List<String> arguments) throws IOException {
        Path classPath = ClassPathFile.write();
        List<String> all = Stream.concat(ARGUMENTS.stream(), arguments.stream()).toList();
        Member.Start start = (name, redisPort) ->
                ReplicaProcess.start(name, classPath, redisPort, all, line -> journal.hear(name, line));
        List<Member> members = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            members.add(new Member("app-" + i, redis.port(), start));
        }
        return new Machine(redis, journal, members);
    }

    Redis redis() {
        return redis;
    }

    Journal journal() {
        return journal;
    }

    List<Member> members() {
        return members;
    }

    void awaitReady() {
        members.forEach(Member::awaitReady);
    }

    /**
     * Does it.
     *
     * @param subject a replica or {@code redis}
     * @throws IllegalStateException if it can't be done now
     * @throws IllegalArgumentException if there is no such thing to do
     */
    synchronized void perform(String subject, String action) throws IOException, InterruptedException {
        if (subject.equals("redis")) {
            performOnRedis(action);
        } else {
            Member member = members.stream()
                    .filter(each -> each.name().equals(subject))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("No replica " + subject));
            performOn(member, action);
        }
    }

    /** Ends the replicas in an orderly way. */
    void end() {
        try {
            for (Member member : members) {
                member.stop();
            }
            long begun = System.nanoTime();
            for (Member member : members) {
                if (!member.hasEndedWithin(LONGEST_END.minusNanos(System.nanoTime() - begun))) {
                    member.kill();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void performOn(Member member, String action) throws IOException, InterruptedException {
        switch (action) {
            case "kill" -> {
                member.kill();
                journal.note(member.name(), "was killed (kill -9)");
            }
            case "pause" -> {
                member.pause();
                journal.note(member.name(), "was paused (SIGSTOP)");
            }
            case "resume" -> {
                member.resume();
                journal.note(member.name(), "goes on (SIGCONT)");
            }
            case "cut" -> {
                member.cutOff();
                journal.note(member.name(), "was cut off from Redis");
            }
            case "reconnect" -> {
                member.reconnect();
                journal.note(member.name(), "reaches Redis again");
            }
            case "start" -> {
                member.startAgain();
                journal.note(member.name(), "was started again");
            }
            default -> throw new IllegalArgumentException("No action " + action);
        }
    }

    private void performOnRedis(String action) throws IOException, InterruptedException {
        switch (action) {
            case "snapshot" -> {
                redis.takeSnapshot();
                journal.note("Redis", "took a snapshot");
            }
            case "stop" -> {
                redis.stop();
                journal.note("Redis", "was stopped (kill -9)");
            }
            case "start-empty" -> {
                redis.startEmpty();
                journal.note("Redis", "was started empty");
            }
            case "start-old" -> {
                redis.startWithSnapshot();
                journal.note("Redis", "was started with the snapshot");
            }
            default -> throw new IllegalArgumentException("No action " + action);
        }
    }
}
