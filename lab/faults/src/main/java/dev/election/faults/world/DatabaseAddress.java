package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import dev.election.harness.Link;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL and its standby behind one address, which is a link for each node, and leads it to one of the two. */
public final class DatabaseAddress implements Topology, Linked {

    private final DatabasePair pair;
    private final List<Link> links = new ArrayList<>();

    public DatabaseAddress(Children children, Path folder, int nodes) throws SQLException, IOException {
        pair = new DatabasePair(children, folder, 0);
        for (int place = 0; place < nodes; place++) {
            links.add(new Link(pair.primary().port()));
        }
    }

    public DatabasePair pair() {
        return pair;
    }

    /** From now on the address leads the node in that place to the primary. */
    public void lead(int place) {
        links.get(place).redirect(pair.primary().port());
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

    @Override
    public void awaitHealth() {
        pair.awaitHealth();
    }
}
