package dev.election.autoconfigure.store;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderRecovery;
import dev.election.LeadershipListener;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The elections of an application for a component that requires them. Reports what is missing if there are none, or if a mock has replaced
 * them.
 */
public final class RequiredElections implements Elections {

    private final Elections elections;

    private RequiredElections(Elections elections) {
        this.elections = elections;
    }

    /**
     * A supplier of the elections, which fails if there are none.
     *
     * @param elections of the context
     * @param what a sentence about what needs them, without a full stop
     * @param beans the context, in which to find the reason if there are none
     */
    public static Supplier<Elections> of(ObjectProvider<Elections> elections, String what, ListableBeanFactory beans) {
        return () -> {
            Elections found = elections.getIfAvailable();
            if (found == null) {
                throw MissingStore.failure(what, beans);
            }
            return new RequiredElections(found);
        };
    }

    @Override
    public Election get(String name) {
        return answered(elections.get(name), name);
    }

    /** Only a mock returns null. */
    @SuppressWarnings("ConstantValue")
    private Election answered(Election election, String name) {
        if (election == null) {
            throw new IllegalStateException(
                    "The Elections bean " + elections.getClass().getName()
                            + " has no election '" + name + "': get(\"" + name
                            + "\") returned null, as a mock does. In tests use"
                            + " @AutoConfigureTestElections of dev.election:election-test instead of a mock of Elections, or make"
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
    public void addRecovery(String name, LeaderRecovery recovery) {
        elections.addRecovery(name, recovery);
    }

    @Override
    public void removeRecovery(LeaderRecovery recovery) {
        elections.removeRecovery(recovery);
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
