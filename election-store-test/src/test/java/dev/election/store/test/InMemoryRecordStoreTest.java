package dev.election.store.test;

import dev.election.store.RecordStore;

class InMemoryRecordStoreTest extends RecordStoreContract {

    private final RecordStore store = InMemoryRecordStore.withoutClock();

    @Override
    protected RecordStore store() {
        return store;
    }
}
