package dev.election.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;

/** Thrown at startup if there are guards but no elections. */
final class NoElectionsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /** The guards, as a sentence, and the context without elections. */
    NoElectionsException(String what, ListableBeanFactory beans) {
        this(what, MissingStore.in(beans));
    }

    private NoElectionsException(String what, MissingStore missing) {
        super(what + ", but no lease store to elect a leader with: " + missing.why());
        this.action = missing.action();
    }

    String action() {
        return action;
    }
}
