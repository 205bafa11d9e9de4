package dev.election.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Resources that a process uses.
 *
 * @param at when, on the monotonic clock
 * @param cpuNanos CPU time since its start
 * @param heapBytes used heap
 * @param threads the names of its threads
 */
record Gauge(long at, long cpuNanos, long heapBytes, List<String> threads) {

    static Gauge read() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Gauge(
                System.nanoTime(),
                system.getProcessCpuTime(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                Thread.getAllStackTraces().keySet().stream()
                        .map(thread -> thread.getName().replace(' ', '_'))
                        .sorted()
                        .toList());
    }

    /** Once what is garbage has been collected. */
    static Gauge afterCollection() throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return read();
    }

    String line() {
        return at + " " + cpuNanos + " " + heapBytes + " " + String.join(",", threads);
    }

    static Gauge of(Report report) {
        List<String> threads =
                Arrays.stream(report.words().get(3).split(",", -1)).toList();
        return new Gauge(report.number(0), report.number(1), report.number(2), threads);
    }
}
