package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LATE_REQUESTS;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.OLD_RECORD;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.node.StoreAddress;
import dev.election.faults.world.Database;
import dev.election.faults.world.Member;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.PostgresServer;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/**
 * A dump is restored into a PostgreSQL that runs on: the record of a lease that has ended, of the present leader. The leader is cut off, and a
 * node has just started.
 */
public enum DumpFault implements Fault {
    RESTORED_IN_PLACE(
            "a dump is restored as by `pg_restore --clean` while the leader is cut off, and a node has just started") {
        @Override
        void restore(PostgresServer server) throws SQLException {
            server.executeAtOnce("drop table election", "alter table restored rename to election");
        }
    },
    RESTORED_BESIDE("the same beside the table, which is renamed") {
        @Override
        void restore(PostgresServer server) throws SQLException {
            server.executeAtOnce(
                    "drop table if exists replaced",
                    "alter table election rename to replaced",
                    "alter table restored rename to election");
        }
    },
    ROWS_RESTORED("the same of the rows alone") {
        @Override
        void restore(PostgresServer server) throws SQLException {
            server.executeAtOnce("delete from election", "insert into election table restored");
        }
    };

    private final String title;

    DumpFault(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Span span() {
        return Span.LONG;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        Set<Consequence> all = EnumSet.of(
                ORPHANED_LEASE, LATE_REQUESTS, SUSPECT_STORE, LOST_CONNECTIONS, UNREACHABLE_LEADER, FRESH_NODE);
        if (this == ROWS_RESTORED) {
            all.add(OLD_RECORD);
        }
        return all;
    }

    @Override
    public void prepare(Strike strike) throws Exception {
        database(strike)
                .server()
                .executeAtOnce(
                        "drop table if exists restored",
                        "create table restored (like election including all)",
                        "alter table restored owner to " + StoreAddress.DATABASE_USER,
                        "insert into restored table election");
        strike.outlastALease();
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        Database database = database(strike);
        Member beginner = Target.FOLLOWER.in(strike.group(), strike.random()).get(0);
        strike.replaceCutOff(beginner);
        Member leader = Target.LEADER.in(strike.group(), strike.random()).get(0);
        Link link = database.link(leader.place());
        link.become(Conditions.CUT);
        restore(database.server());
        database.link(beginner.place()).open();
        return () -> link.become(Conditions.FINE);
    }

    /** The table {@code restored} is what the dump has. */
    abstract void restore(PostgresServer server) throws SQLException;

    private static Database database(Strike strike) {
        return (Database) strike.group().topology();
    }
}
