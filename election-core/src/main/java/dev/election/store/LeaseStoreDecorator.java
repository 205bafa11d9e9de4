package dev.election.store;

/** Puts something around the store that the elections use, to watch it for instance: a {@link ForwardingLeaseStore}, most easily. */
@FunctionalInterface
public interface LeaseStoreDecorator {

    /** The store with something around it, which keeps all that a store owes, and its capabilities. */
    LeaseStore decorate(LeaseStore store);
}
