package dev.election.autoconfigure.store;

import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Says why a store of leases that is on the class path is not in a context. Each module of a store names its own in {@code spring.factories}. */
public interface StoreDiagnosis {

    /** The property that chooses one of several stores. */
    String CHOICE = "election.store";

    /** The name of the store in {@code election.store}. */
    String store();

    /** The problem and the action for a context without a lease store. A store that needs nothing of the application lacks its wiring only. */
    default MissingStore missing(ListableBeanFactory beans) {
        return new MissingStore(
                "the auto-configuration of the store '" + store() + "' is not part of this context",
                "Let @EnableAutoConfiguration apply that of " + getClass().getPackageName() + ".");
    }

    /** The diagnoses of all modules on the class path. */
    static List<StoreDiagnosis> ofAllStores() {
        return SpringFactoriesLoader.forDefaultResourceLocation(StoreDiagnosis.class.getClassLoader())
                .load(StoreDiagnosis.class);
    }
}
