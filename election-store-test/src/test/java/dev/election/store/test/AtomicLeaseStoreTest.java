package dev.election.store.test;

class AtomicLeaseStoreTest extends AtomicContract
        implements IncarnationContract, SuccessionContract, HistoryContract, EvictionContract, MessagingContract {}
