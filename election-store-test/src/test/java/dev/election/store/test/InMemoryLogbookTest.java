package dev.election.store.test;

import dev.election.store.InMemoryLogbook;
import dev.election.store.Logbook;

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
}
