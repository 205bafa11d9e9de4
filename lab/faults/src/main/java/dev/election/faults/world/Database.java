package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import dev.election.harness.Link;
import dev.election.harness.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One PostgreSQL, and a link to it for each node. Its clock can be shifted, for the elections only. */
public final class Database implements Topology, Linked {

    /** Another user, who may connect and nothing else. */
    public static final String STRANGER = "stranger";

    private final PostgresServer server;
    private final List<Link> links = new ArrayList<>();

    public Database(Children children, Path folder, int nodes) throws SQLException {
        server = new PostgresServer(children, folder);
        server.execute(
                "create role " + StoreAddress.DATABASE_USER + " login",
                "create role " + STRANGER + " login",
                "create schema shifted",
                "create table shifted.clock as select interval '0' as shift",
                "create function shifted.clock_timestamp() returns timestamptz language sql volatile"
                        + " as 'select pg_catalog.clock_timestamp() + (select shift from shifted.clock)'",
                "grant usage on schema shifted to " + StoreAddress.DATABASE_USER,
                "grant select on shifted.clock to " + StoreAddress.DATABASE_USER,
                // Whoever does not name the schema of the function finds that one.
                "alter role " + StoreAddress.DATABASE_USER + " set search_path = public, shifted, pg_catalog");
        for (int place = 0; place < nodes; place++) {
            links.add(new Link(server.port()));
        }
    }

    public PostgresServer server() {
        return server;
    }

    /** Moves the clock that the elections read. */
    public void shiftClock(int seconds) throws SQLException {
        server.execute("update shifted.clock set shift = shift + interval '" + seconds + " seconds'");
    }

    @Override
    public Link link(int place) {
        return links.get(place);
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(
                StoreAddress.Kind.DATABASE, List.of(links.get(place).port()));
    }

    /** A fault waits for the server by itself. */
    @Override
    public void awaitHealth() {}
}
