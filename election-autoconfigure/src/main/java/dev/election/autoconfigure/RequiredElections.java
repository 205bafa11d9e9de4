package dev.election.autoconfigure;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeadershipListener;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The elections of an application for something that can't do without them: says what is missing where there are none, and where a
 * mock has taken their place.
 */
final class RequiredElections implements Elections {

    private final Elections elections;

    private RequiredElections(Elections elections) {
        this.elections = elections;
    }

    /**
     * What to ask for when the elections are needed.
     *
     * @param elections of the context
     * @param what needs them, as the beginning of a sentence
     * @param beans where to look for the reason when there are none
     */
    static Supplier<Elections> of(ObjectProvider<Elections> elections, String what, ListableBeanFactory beans) {
        return () -> {
            Elections found = elections.getIfAvailable();
            if (found == null) {
                throw new NoElectionsException(what, beans);
            }
            return new RequiredElections(found);
        };
    }

    @Override
    public Election get(String name) {
        return answered(elections.get(name), name);
    }

    /** Nobody but a mock answers a name with nothing. */
    @SuppressWarnings("ConstantValue")
    private Election answered(Election election, String name) {
        if (election == null) {
            throw new IllegalStateException(
                    "The Elections bean " + elections.getClass().getName()
                            + " has no election '" + name + "': get(\"" + name
                            + "\") returned null, as a mock does. In tests use"
                            + " @AutoConfigureTestElections of dev.election:election-test instead of a mock of Elections, or let"
                            + " the mock return an Election");
        }
        return election;
    }

    @Override
    public Optional<Election> find(String name) {
        return elections.find(name);
    }

    @Override
    public Collection<Election> all() {
        return elections.all();
    }

    @Override
    public void addListener(LeadershipListener listener) {
        elections.addListener(listener);
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        elections.removeListener(listener);
    }

    @Override
    public String node() {
        return elections.node();
    }

    @Override
    public void start() {
        elections.start();
    }

    @Override
    public CompletionStage<Void> stop() {
        return elections.stop();
    }
}
