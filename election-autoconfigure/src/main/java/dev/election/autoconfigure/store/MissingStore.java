package dev.election.autoconfigure.store;

import dev.election.ElectionConfigurationException;
import dev.election.spring.guard.GuardReader;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * The reason for which an application has no lease store.
 *
 * @param why what is missing
 * @param action what to do about it
 */
public record MissingStore(String why, String action) {

    private static final String OTHERWISE =
            " Or define a LeaseStore bean of your own, or set election.enabled=false to run guarded methods on every replica.";

    /**
     * For a server that the store can't use.
     *
     * @param problem why it can't, without a full stop
     * @param action what to do about it; the alternatives to that store are added
     */
    public static ElectionConfigurationException unusable(String problem, String action) {
        return unusable(problem, action, null);
    }

    /**
     * For a server that the store can't use.
     *
     * @param problem why it can't, without a full stop
     * @param action what to do about it; the alternatives to that store are added
     * @param cause what has shown it
     */
    public static ElectionConfigurationException unusable(String problem, String action, @Nullable Throwable cause) {
        return new ElectionConfigurationException(problem, action + OTHERWISE, cause);
    }

    /**
     * For guards without elections.
     *
     * @param what a sentence about the guards, without a full stop
     * @param beans the context without elections
     */
    public static ElectionConfigurationException failure(String what, ListableBeanFactory beans) {
        MissingStore missing = in(beans);
        return unusable(what + ", but no lease store to elect a leader with: " + missing.why, missing.action);
    }

    /** Finds the reason in a context without a lease store. */
    public static MissingStore in(ListableBeanFactory beans) {
        if (beans.getBeanNamesForType(GuardReader.class, true, false).length == 0) {
            return new MissingStore(
                    "the auto-configuration of the elections is not part of this context",
                    "In a test of a slice add @AutoConfigureTestElections of dev.election:election-test. In an application let"
                            + " @EnableAutoConfiguration apply the auto-configuration.");
        }
        List<StoreDiagnosis> stores = StoreDiagnosis.ofAllStores();
        if (stores.isEmpty()) {
            return new MissingStore(
                    "no module with a store of leases is on the class path",
                    "Add a starter with one, such as election-spring-boot-starter, election-jdbc-spring-boot-starter,"
                            + " election-kubernetes-spring-boot-starter, election-etcd-spring-boot-starter or"
                            + " election-zookeeper-spring-boot-starter.");
        }
        String names = stores.stream().map(StoreDiagnosis::store).sorted().collect(Collectors.joining(" or "));
        Environment environment = beans.getBeanProvider(Environment.class).getIfAvailable();
        String chosen = environment == null ? null : environment.getProperty(StoreDiagnosis.CHOICE);
        if (chosen == null && stores.size() > 1) {
            return new MissingStore(
                    "several modules with a store of leases are on the class path, and " + StoreDiagnosis.CHOICE
                            + " is not set",
                    "Set " + StoreDiagnosis.CHOICE + " to " + names + ".");
        }
        return stores.stream()
                .filter(store -> chosen == null || store.store().equals(chosen))
                .findFirst()
                .map(store -> store.missing(beans))
                .orElseGet(() -> new MissingStore(
                        "no module with the store '" + chosen + "' of " + StoreDiagnosis.CHOICE
                                + " is on the class path",
                        "Set " + StoreDiagnosis.CHOICE + " to " + names + ", or add a starter with that store."));
    }
}
