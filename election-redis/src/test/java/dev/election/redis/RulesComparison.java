package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.record.Decision;
import dev.election.record.ElectionRecord;
import dev.election.record.ElectionRecord.Lease;
import dev.election.record.LeaseRules;
import dev.election.redis.internal.failure.Failures;
import dev.election.store.ReadReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreMoment;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the same histories of requests and faults on both sides. */
final class RulesComparison {

    private static final int REQUESTS_OF_EACH = 270;

    /** How many requests Redis may be behind: what comes next depends on the rules alone. */
    private static final int UNDER_WAY = 50;

    private static final int REMEMBERED = 3;

    private final GuardCounts guards = new GuardCounts();
    private final Set<String> spoilt = new TreeSet<>();
    private final CountedRules rules;
    private final LuaElection lua;
    private long requests;
    private long nearAnEnd;

    /**
     * Loads the scripts.
     *
     * @param source gives the text of a script by its name
     * @param missing the guard that the rules lack, as operation and guard; {@code null} for none
     */
    RulesComparison(
            StatefulRedisConnection<String, String> connection,
            UnaryOperator<String> source,
            @Nullable String missing) {
        this.rules = new CountedRules(REMEMBERED, guards, missing);
        this.lua = new LuaElection(connection, source, REMEMBERED);
    }

    GuardCounts guards() {
        return guards;
    }

    /** Which scripts have met which keys of another type. */
    Set<String> spoilt() {
        return spoilt;
    }

    long requests() {
        return requests;
    }

    /** How many requests came within 2 ms of an end. */
    long nearAnEnd() {
        return nearAnEnd;
    }

    /** What the first difference looks like, with the last requests before it; nothing if there is none. */
    List<String> run(int seed) {
        String election = "e" + seed;
        RandomRequests random = new RandomRequests(seed, election);
        RandomFaults faults = new RandomFaults(random);
        ElectionRecord record = ElectionRecord.EMPTY;
        List<Supplier<String>> story = new ArrayList<>();
        Queue<Awaited> awaited = new ArrayDeque<>();
        lua.begin(election, seed % 2 == 0);
        for (int i = 0; i < REQUESTS_OF_EACH; i++) {
            if (random.upTo(8) == 0) {
                record = faults.next(record);
                lua.write(record);
                ElectionRecord left = record;
                story.add(() -> "fault: " + left);
            }
            if (random.upTo(10) == 0) {
                faults.note(record);
            }
            // A leader that renews mostly finds all as it has left it.
            Lease lease = record.lease();
            boolean isRenewed = lease != null && random.upTo(6) == 0;
            if (isRenewed) {
                record = faults.asLeft(record, lease);
                lua.write(record);
                ElectionRecord left = record;
                story.add(() -> "as left: " + left);
            }
            StoreMoment moment = random.next(record);
            Outcome outcome;
            if (random.upTo(60) == 0) {
                outcome = askWithSpoiltKey(random.oneOf(SpoiltKey.values()), random, record, moment);
            } else if (isRenewed) {
                outcome = renewByHolder(random, record, moment);
            } else {
                outcome = ask(random.operation(), random, record, moment);
            }
            story.add(() -> moment + " " + outcome.request);
            requests++;
            nearAnEnd += random.wasNearAnEnd() ? 1 : 0;
            record = outcome.decision.record();
            awaited.add(new Awaited(outcome, List.copyOf(story.subList(Math.max(0, story.size() - 4), story.size()))));
            List<String> found = awaited.size() < UNDER_WAY ? List.of() : difference(awaited.remove());
            if (!found.isEmpty()) {
                return found;
            }
        }
        return awaited.stream()
                .map(this::difference)
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private Outcome renewByHolder(RandomRequests random, ElectionRecord record, StoreMoment moment) {
        rules.begin("renew");
        return renew(rules, random.renewByHolder(record), record, moment);
    }

    private Outcome ask(String operation, RandomRequests random, ElectionRecord record, StoreMoment moment) {
        rules.begin(operation);
        return ask(rules, operation, random, record, moment);
    }

    private Outcome ask(
            LeaseRules rules, String operation, RandomRequests random, ElectionRecord record, StoreMoment moment) {
        return switch (operation) {
            case "campaign" -> {
                var request = random.campaign(record);
                yield new Outcome(request, rules.campaign(record, request, moment), lua.campaign(request, moment));
            }
            case "renew" -> renew(rules, random.renew(record), record, moment);
            case "release" -> {
                var request = random.release(record);
                yield new Outcome(request, rules.release(record, request, moment), lua.release(request, moment));
            }
            case "evict" -> {
                var request = random.evict(record);
                yield new Outcome(request, rules.evict(record, request, moment), lua.evict(request, moment));
            }
            default -> {
                var reply = new ReadReply.Read(rules.view(record, moment.millis()));
                yield new Outcome("read", new Decision<>(record, reply, List.of()), lua.read(moment));
            }
        };
    }

    private Outcome renew(LeaseRules rules, RenewRequest request, ElectionRecord record, StoreMoment moment) {
        return new Outcome(request, rules.renew(record, request, moment), lua.renew(request, moment));
    }

    private List<String> difference(Awaited awaited) {
        awaited.outcome.answer.keys().countGuards(guards);
        List<String> found = awaited.outcome.difference();
        return found.isEmpty()
                ? found
                : Stream.concat(awaited.story.stream().map(Supplier::get), found.stream())
                        .toList();
    }

    /**
     * A script that can't do without the key refuses, says why and changes nothing; any other decides as if there were no such key. Then
     * the key is deleted, as whoever reads the refusal does.
     */
    private Outcome askWithSpoiltKey(SpoiltKey key, RandomRequests random, ElectionRecord record, StoreMoment moment) {
        ElectionRecord readable = key.missingIn(record);
        lua.write(readable);
        lua.spoil(key);
        String operation = random.oneOf(RandomRequests.OPERATIONS);
        Outcome outcome = ask(new LeaseRules(REMEMBERED), operation, random, readable, moment)
                .with(key, operation, readable);
        spoilt.add(operation + " with " + key);
        lua.write(outcome.decision.record());
        return outcome;
    }

    private record Outcome(Object request, Decision<?> decision, LuaElection.Answer<?> answer, Set<SpoiltKey> spoilt) {

        Outcome(Object request, Decision<?> decision, LuaElection.Answer<?> answer) {
            this(request, decision, answer, Set.of());
        }

        /** The same where one key is of another type. */
        Outcome with(SpoiltKey key, String operation, ElectionRecord before) {
            Decision<?> expected = key.isRefusedBy(operation)
                    ? new Decision<>(before, StoreProblem.WRONG_TYPE, List.of())
                    : new Decision<>(key.missingIn(decision.record()), decision.reply(), decision.events());
            return new Outcome(operation + " with spoilt " + key + ": " + request, expected, answer, Set.of(key));
        }

        /** How the answer of the script differs from the decision of the rules. */
        List<String> difference() {
            List<String> found = new ArrayList<>();
            compare(found, "reply", decision.reply(), replyOfLua());
            compare(found, "record", decision.record(), answer.keys().record());
            compare(found, "published", decision.events(), answer.keys().events());
            compare(found, "keys of another type", spoilt, answer.keys().spoilt());
            return found;
        }

        /** The reply of the script, or the problem that the client makes of its refusal. */
        Object replyOfLua() {
            try {
                return answer.reply();
            } catch (RedisCommandExecutionException refused) {
                return Failures.noAnswer(refused).problem();
            }
        }

        private static void compare(List<String> found, String what, @Nullable Object java, @Nullable Object lua) {
            if (java == null || !java.equals(lua)) {
                found.add(what + " in Java: " + java);
                found.add(what + " in Lua:  " + lua);
            }
        }
    }

    /** What is to be compared as soon as Redis has answered, and what has happened up to it. */
    private record Awaited(Outcome outcome, List<Supplier<String>> story) {}
}
