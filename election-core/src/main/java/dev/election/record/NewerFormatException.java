package dev.election.record;

/** Thrown for a record that was written in a format that is newer than this version of the library knows. */
final class NewerFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NewerFormatException(int found, int known) {
        super("The record has format " + found + ", but this node knows " + known);
    }
}
