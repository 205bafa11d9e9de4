package dev.election.benchmarks;

/**
 * A line of the result.
 *
 * @param what what was measured
 * @param target what was hoped for
 * @param measured what came out
 */
record Row(String what, String target, String measured) {

    @Override
    public String toString() {
        return "| " + what + " | " + target + " | " + measured + " |";
    }
}
