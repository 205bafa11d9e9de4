package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Member;
import dev.election.faults.world.Standalone;
import dev.election.harness.Conditions;
import dev.election.harness.Conditions.Flow;
import dev.election.harness.Link;
import dev.election.harness.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Messages from somebody who may publish on the channel of the election and means ill. What they are meant to prevent is a change of
 * leaders, so all but one are followed by the leader's death.
 */
public enum HostileMessage implements Fault {
    FORGED_TOKEN("a forged grant with token 2^53-1, then `kill -9`") {
        @Override
        List<String> messages(Strike strike, long token) {
            return List.of(grant(HIGHEST_TOKEN, strike.group().lease()));
        }
    },
    FORGED_REMAINING_TIME("a forged grant for 24 h, then `kill -9`") {
        @Override
        List<String> messages(Strike strike, long token) {
            return List.of(grant(token + 1, Duration.ofDays(1)));
        }
    },
    /** Nobody can tell it from a true one: the store is told of a token that it never granted, and takes itself to be forgetful. */
    PLAUSIBLE_TOKEN("a forged grant with a token of an hour ahead, then `kill -9`") {
        @Override
        List<String> messages(Strike strike, long token) {
            return List.of(
                    grant(token + Duration.ofHours(1).toMillis(), strike.group().lease()));
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER, FRESH_NODE);
        }
    },
    FORGED_RELEASE("a forged release with a reserve of a year, then `kill -9`") {
        @Override
        List<String> messages(Strike strike, long token) {
            return List.of(message("released", Long.toString(token), A_YEAR, "nobody"));
        }
    },
    FORGED_ABDICATION("a request to abdicate with a cooldown of a year") {
        @Override
        List<String> messages(Strike strike, long token) {
            return List.of(message("abdicate", "forged", Long.toString(token), "", A_YEAR, "", "0"));
        }

        /** The nodes do not obey the message. */
        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.noneOf(Consequence.class);
        }

        @Override
        void end(Member leader) {}

        @Override
        void restart(Member leader) {}
    },
    /** The leader has a reply to wait for all the time, and a call meets each of its renewals on their way. */
    ROLL_CALLS("20 roll calls a second, the leader 30 ms away") {
        @Override
        public Healing inject(Strike strike) throws Exception {
            Standalone redis = (Standalone) strike.group().topology();
            Link link = redis.link(strike.victims().get(0).place());
            link.become(new Conditions(AWAY, AWAY));
            ScheduledExecutorService forger = Executors.newSingleThreadScheduledExecutor();
            var unused = forger.scheduleAtFixedRate(
                    () -> publish(redis.primary(), "roll-call"), 0, 50, TimeUnit.MILLISECONDS);
            return () -> {
                forger.shutdownNow();
                link.become(Conditions.FINE);
            };
        }

        @Override
        List<String> messages(Strike strike, long token) {
            return List.of("roll-call");
        }

        /** The leader goes on. */
        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.noneOf(Consequence.class);
        }
    },
    GARBAGE("messages of no meaning, then `kill -9`") {
        @Override
        List<String> messages(Strike strike, long token) {
            byte[] noise = new byte[strike.between(1, 2000)];
            for (int i = 0; i < noise.length; i++) {
                noise[i] = (byte) strike.between(1, 127);
            }
            return List.of(
                    "",
                    "\n\n\n\n\n\n",
                    "acquired",
                    message("acquired", "soon", "", "-1", "", ""),
                    message("acquired", "-1", "-1", "-1", "x", "x"),
                    message("released", Long.toString(Long.MAX_VALUE), Long.toString(Long.MAX_VALUE), ""),
                    message("released", "1", "-9223372036854775808", "nobody"),
                    message("abdicate", "", "1", "-1", "x"),
                    message("resigning", "x", Long.toString(Long.MAX_VALUE)),
                    message("present", "", "", "perhaps"),
                    "roll-call\nroll-call",
                    new String(noise, StandardCharsets.US_ASCII),
                    "acquired\n".repeat(50_000));
        }
    };

    private static final long HIGHEST_TOKEN = (1L << 53) - 1;
    private static final Flow AWAY = new Flow.Slow(0, 30);
    private static final String A_YEAR = Long.toString(Duration.ofDays(365).toMillis());

    private final String title;

    HostileMessage(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Set<Target> targets() {
        return EnumSet.of(Target.LEADER);
    }

    @Override
    public Span span() {
        return Span.PAST_THE_BOUND;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        return EnumSet.of(ORPHANED_LEASE, UNREACHABLE_LEADER, FRESH_NODE);
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        RedisProcess redis = ((Standalone) strike.group().topology()).primary();
        Member leader = strike.victims().get(0);
        String text = redis.text("HGET", StoreFault.key("lease"), "token");
        long token = text.isEmpty() ? 1 : Long.parseLong(text);
        messages(strike, token).forEach(message -> publish(redis, message));
        // So that everybody has heard it.
        TimeUnit.MILLISECONDS.sleep(100);
        end(leader);
        return () -> restart(leader);
    }

    private static void publish(RedisProcess redis, String message) {
        try {
            redis.ask("PUBLISH", StoreFault.key("events"), message);
        } catch (IOException unreachable) {
            throw new UncheckedIOException("The forged message was not published", unreachable);
        }
    }

    abstract List<String> messages(Strike strike, long token);

    void end(Member leader) throws Exception {
        leader.process().kill();
    }

    void restart(Member leader) throws Exception {
        Member.restart(List.of(leader));
    }

    private static String grant(long token, Duration remaining) {
        return message(
                "acquired",
                Long.toString(token),
                Long.toString(System.currentTimeMillis()),
                Long.toString(remaining.toMillis()),
                "id=forger",
                "address=127.0.0.1");
    }

    private static String message(String... parts) {
        return String.join("\n", parts);
    }
}
