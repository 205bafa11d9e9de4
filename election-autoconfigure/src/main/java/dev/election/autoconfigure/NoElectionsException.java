package dev.election.autoconfigure;

/** Something is guarded, and nothing can decide who leads. */
final class NoElectionsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoElectionsException(String what) {
        super(what + ", but no lease store by which a leader could be elected");
    }
}
