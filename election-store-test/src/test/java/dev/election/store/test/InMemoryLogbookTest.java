package dev.election.store.test;

import dev.election.store.InMemoryLogbook;
import dev.election.store.Logbook;
import java.time.Duration;

class InMemoryLogbookTest extends LogbookContract {

    private final InMemoryLogbook book = new InMemoryLogbook();

    @Override
    protected Logbook book() {
        return book;
    }

    @Override
    protected String election() {
        return "jobs";
    }

    @Override
    protected void forget() {
        book.forget();
    }

    @Override
    protected void putBack(Duration time) {
        book.intactFor(time);
    }

    @Override
    protected void changeIncarnation() {
        book.intactFor(Duration.ZERO);
    }
}
