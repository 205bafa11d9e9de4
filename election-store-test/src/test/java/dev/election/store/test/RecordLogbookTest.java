package dev.election.store.test;

import dev.election.store.Logbook;
import dev.election.store.RecordLogbook;

class RecordLogbookTest extends LogbookContract {

    private final InMemoryRecordStore records = InMemoryRecordStore.withoutClock();

    private final Logbook book = new RecordLogbook(records, "");

    @Override
    protected Logbook book() {
        return book;
    }

    @Override
    protected String election() {
        return "reports";
    }

    @Override
    protected void forget() {
        records.put("reports", null);
    }
}
