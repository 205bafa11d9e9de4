package dev.election.autoconfigure.internal;

import org.springframework.beans.factory.ListableBeanFactory;

/** Says why a store of leases that is on the class path is not in a context. Each module of a store names its own in {@code spring.factories}. */
@FunctionalInterface
public interface StoreDiagnosis {

    /** The problem and the action for a context without a lease store. */
    MissingStore missing(ListableBeanFactory beans);
}
