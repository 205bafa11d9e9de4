package dev.election.store.test;

class AtomicLeaseStoreTest extends AtomicContract
        implements SuccessionContract, HistoryContract, EvictionContract, MessagingContract {}
