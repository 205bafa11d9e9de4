package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FORGETFUL_STORE;
import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.node.Node;
import dev.election.faults.world.Member;
import dev.election.faults.world.Standalone;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.RedisProcess;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Harm to a single Redis server and to what it stores. */
public enum StoreFault implements Fault {
    KILL_KEEPING_DATA("`kill -9`, restarted with its data", Span.ANY, Kind.AWAY_AND_SUSPECT, (redis, strike) -> {
        redis.kill();
        return redis::restart;
    }),
    KILL_LOSING_DATA("`kill -9`, restarted empty", Span.ANY, Kind.AWAY_AND_FORGETFUL, (redis, strike) -> {
        redis.kill();
        redis.forgetAll();
        return redis::restart;
    }),
    FLUSHALL("`FLUSHALL`", Span.NONE, Kind.FORGETFUL, (redis, strike) -> {
        redis.ask("FLUSHALL");
        return Healing.NONE;
    }),
    FREEZE("SIGSTOP of Redis", Span.ANY, Kind.AWAY, (redis, strike) -> {
        redis.freeze();
        return redis::thaw;
    }),
    SLEEP("`DEBUG SLEEP`", Span.ANY, Kind.AWAY, (redis, strike) -> {
        redis.tell("DEBUG", "SLEEP", Double.toString(strike.length().toMillis() / 1000.0));
        return Healing.NONE;
    }),
    PAUSE_CLIENTS("`CLIENT PAUSE`", Span.ANY, Kind.AWAY, (redis, strike) -> {
        redis.tell("CLIENT", "PAUSE", strike.millis(), strike.random().nextBoolean() ? "ALL" : "WRITE");
        return Healing.NONE;
    }),
    FLUSH_SCRIPTS("`SCRIPT FLUSH`", Span.NONE, Kind.HARMLESS, (redis, strike) -> {
        redis.ask("SCRIPT", "FLUSH");
        return Healing.NONE;
    }),
    KILL_CLIENTS("`CLIENT KILL` of all connections", Span.NONE, Kind.AWAY, (redis, strike) -> {
        redis.ask("CLIENT", "KILL", "TYPE", "pubsub");
        redis.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        return Healing.NONE;
    }),
    DELETE_LEASE("the lease deleted by hand", Span.NONE, Kind.TAMPERED, (redis, strike) -> {
        redis.ask("DEL", key("lease"));
        return Healing.NONE;
    }),
    DELETE_EPOCH("the epoch deleted by hand", Span.NONE, Kind.FORGETFUL, (redis, strike) -> {
        redis.ask("DEL", key("epoch"));
        return Healing.NONE;
    }),
    OVERWRITE_LEASE("the lease overwritten by a string, deleted later", Span.ANY, Kind.BLOCKED, (redis, strike) -> {
        redis.ask("SET", key("lease"), "not a lease");
        return () -> redis.ask("DEL", key("lease"));
    }),
    USURP_LEASE("the lease given to a stranger by hand, without expiry", Span.NONE, Kind.TAMPERED, (redis, strike) -> {
        redis.ask("HSET", key("lease"), "candidacy", "stranger", "node", "id=stranger\naddress=nowhere");
        redis.ask("PERSIST", key("lease"));
        return Healing.NONE;
    }),
    OUT_OF_MEMORY("`maxmemory` reached", Span.ANY, Kind.BLOCKED, (redis, strike) -> {
        redis.ask("CONFIG", "SET", "maxmemory", "1");
        return () -> redis.ask("CONFIG", "SET", "maxmemory", "0");
    }),
    DEMOTE("made a replica, and a primary again", Span.ANY, Kind.AWAY_AND_SUSPECT, (redis, strike) -> {
        redis.ask("REPLICAOF", "127.0.0.1", "1");
        return () -> redis.ask("REPLICAOF", "NO", "ONE");
    }),
    AMNESIA(
            "`FLUSHALL` while the leader is cut off and all others have just started",
            Span.LONG,
            Kind.BEYOND_A_LEASE,
            (redis, strike) -> {
                List<Member> leader = Target.LEADER.in(strike.group(), strike.random());
                List<Member> others = strike.group().members().stream()
                        .filter(member -> !leader.contains(member))
                        .toList();
                for (Member other : others) {
                    link(strike, other).refuse();
                    other.process().kill();
                }
                Member.restart(others);
                Link link = link(strike, leader.get(0));
                link.become(Conditions.CUT);
                redis.ask("FLUSHALL");
                for (Member other : others) {
                    link(strike, other).open();
                }
                return () -> link.become(Conditions.FINE);
            });

    private final String title;
    private final Span span;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Harm harm;

    StoreFault(String title, Span span, Kind kind, Harm harm) {
        this.title = title;
        this.span = span;
        this.kind = kind;
        this.harm = harm;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Span span() {
        return span;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        return switch (kind) {
            case HARMLESS -> EnumSet.noneOf(Consequence.class);
            case FORGETFUL -> EnumSet.of(FORGETFUL_STORE);
            case TAMPERED -> EnumSet.of(ORPHANED_LEASE);
            case BLOCKED -> EnumSet.of(NO_ELECTION, ORPHANED_LEASE);
            case AWAY -> EnumSet.of(NO_ELECTION, ORPHANED_LEASE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
            // It is the same server with the same data, but nobody can know that.
            case AWAY_AND_SUSPECT ->
                EnumSet.of(NO_ELECTION, ORPHANED_LEASE, SUSPECT_STORE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
            case AWAY_AND_FORGETFUL -> EnumSet.of(NO_ELECTION, FORGETFUL_STORE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
            case BEYOND_A_LEASE ->
                EnumSet.of(NO_ELECTION, FORGETFUL_STORE, LOST_CONNECTIONS, UNREACHABLE_LEADER, FRESH_NODE);
        };
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm.of(((Standalone) strike.group().topology()).primary(), strike);
    }

    private static Link link(Strike strike, Member member) {
        return ((Standalone) strike.group().topology()).link(member.place());
    }

    static String key(String name) {
        return Node.KEY_PREFIX + ":{" + Node.ELECTION + "}:" + name;
    }

    private interface Harm {
        Healing of(RedisProcess redis, Strike strike) throws Exception;
    }

    private enum Kind {
        HARMLESS,
        FORGETFUL,
        TAMPERED,
        BLOCKED,
        AWAY,
        AWAY_AND_SUSPECT,
        AWAY_AND_FORGETFUL,
        BEYOND_A_LEASE
    }
}
