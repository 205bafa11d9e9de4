package dev.election.benchmarks;

import java.util.List;

/** One measurement. */
interface Scenario {

    /** Measures, and ends every process that it has started. */
    List<Row> run() throws Exception;
}
