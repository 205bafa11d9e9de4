package dev.election.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine below this one, if there is one. */
final class Host {

    private static final Path STATISTICS = Path.of("/proc/stat");

    /** cpu, user, nice, system, idle, iowait, irq, softirq, steal */
    private static final int STOLEN = 8;

    private Host() {}

    /** For how many ticks of 10 ms it has run something else while a processor of this one had work. */
    static long stolen() {
        try {
            String all = Files.readAllLines(STATISTICS).get(0);
            return Long.parseLong(all.split(" +", -1)[STOLEN]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
