package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.PostgresServer;
import dev.election.harness.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL and its standby, which follows over a link, and a link to each of them for each node. A node uses the primary. */
public final class DatabasePair implements Topology {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** To each server, by which the other one follows it. */
    private final Links ways;

    private final List<Links> waysOfNodes = new ArrayList<>();
    private volatile PostgresServer primary;
    private volatile PostgresServer standby;

    public DatabasePair(Children children, Path folder, int nodes) throws SQLException, IOException {
        primary = new PostgresServer(children, Files.createDirectories(folder.resolve("first")));
        standby = new PostgresServer(children, Files.createDirectories(folder.resolve("second")));
        ways = linksToBoth();
        for (int place = 0; place < nodes; place++) {
            waysOfNodes.add(linksToBoth());
        }
        primary.execute("create role " + StoreAddress.DATABASE_USER + " login");
        standby.kill();
        standby.follow(primary, ways.to(primary).port());
    }

    private Links linksToBoth() {
        return new Links(primary, new Link(primary.port()), new Link(standby.port()));
    }

    private record Links(PostgresServer first, Link toFirst, Link toSecond) {

        Link to(PostgresServer server) {
            return server == first ? toFirst : toSecond;
        }

        List<Link> all() {
            return List.of(toFirst, toSecond);
        }
    }

    public PostgresServer primary() {
        return primary;
    }

    /** Whether the URL of the nodes names the primary before the standby. */
    public boolean isPrimaryNamedFirst() {
        return ways.first() == primary;
    }

    /** The link of the node in that place to that server. */
    public Link link(int place, PostgresServer server) {
        return waysOfNodes.get(place).to(server);
    }

    /** Each commit waits for the standby from now on, until the primary is replaced or told otherwise. */
    public void wait(boolean isSynchronous) throws SQLException {
        primary.execute(
                "alter system set synchronous_standby_names = '" + (isSynchronous ? "*" : "") + "'",
                "select pg_reload_conf()");
        String expected = isSynchronous ? "sync" : "async";
        awaitInPrimary("select sync_state from pg_stat_replication", expected);
    }

    /** Nothing passes between the two any more, and neither is told. */
    public void cut() {
        ways.to(primary).become(Conditions.CUT);
    }

    public void rejoin() {
        ways.all().forEach(way -> way.become(Conditions.FINE));
    }

    /** The standby takes the place of the primary, which is not told. */
    public void promote() throws SQLException {
        standby.promote();
        takeBack();
    }

    /** The server that was the primary before is it again, with its own data, and neither is told. */
    public void takeBack() {
        PostgresServer old = primary;
        primary = standby;
        standby = old;
    }

    /** From now on the nodes in these places can't reach the server that is the standby now, even if it does not know that. */
    public void hideStandbyFrom(Stream<Integer> places) {
        places.forEach(place -> waysOfNodes.get(place).to(standby).refuse());
    }

    /** The server that was the primary gets the data of the new one, and follows it. */
    public void replaceStandby() throws SQLException, IOException {
        standby.close();
        rejoin();
        standby.follow(primary, ways.to(primary).port());
        waysOfNodes.forEach(links -> links.to(standby).open());
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(
                StoreAddress.Kind.DATABASE,
                waysOfNodes.get(place).all().stream().map(Link::port).toList());
    }

    @Override
    public void awaitHealth() {
        awaitInPrimary("select state from pg_stat_replication", "streaming");
    }

    private void awaitInPrimary(String query, String expected) {
        Wait.until(expected, PATIENCE, () -> {
            try {
                return expected.equals(primary.text(query));
            } catch (SQLException notYet) {
                return false;
            }
        });
    }
}
