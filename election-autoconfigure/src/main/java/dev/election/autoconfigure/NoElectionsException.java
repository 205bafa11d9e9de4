package dev.election.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;

/** Something is guarded, and nothing can decide who leads. */
final class NoElectionsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /** What is guarded, and where nothing was found. */
    NoElectionsException(String what, ListableBeanFactory beans) {
        this(what, MissingStore.in(beans));
    }

    private NoElectionsException(String what, MissingStore missing) {
        super(what + ", but no lease store by which a leader could be elected: " + missing.why());
        this.action = missing.action();
    }

    String action() {
        return action;
    }
}
