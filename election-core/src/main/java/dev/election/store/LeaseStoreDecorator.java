package dev.election.store;

/** Decorates the store that the elections use, to observe it for instance. A decorator is most easily a {@link ForwardingLeaseStore}. */
@FunctionalInterface
public interface LeaseStoreDecorator {

    /** Returns the decorated store, which must keep the contract and the capabilities of the given one. */
    LeaseStore decorate(LeaseStore store);
}
