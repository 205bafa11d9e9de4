package dev.election.store.test;

import dev.election.store.Logbook;
import dev.election.store.RecordLogbook;
import dev.election.store.RecordStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

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

    @Override
    protected void putBack(Duration time) {
        String text = Objects.requireNonNull(records.find("reports")).text();
        long since = Instant.now().minus(time).toEpochMilli();
        records.put("reports", new RecordStore.Stored(text.replaceFirst("since=\\d+", "since=" + since), "77"));
    }

    @Override
    protected void changeIncarnation() {
        records.becomeAnother(Duration.ZERO);
    }
}
