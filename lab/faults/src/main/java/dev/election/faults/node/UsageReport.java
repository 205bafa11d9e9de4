package dev.election.faults.node;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.election.faults.history.Entry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Says now and then what this process uses, after a garbage collection. */
final class UsageReport extends Thread {

    private static final long PAUSE = Duration.ofSeconds(30).toNanos();

    private final String node;
    private final Voice voice;

    UsageReport(String node, Voice voice) {
        super("usage-report");
        this.node = node;
        this.voice = voice;
        setDaemon(true);
    }

    @Override
    public void run() {
        while (true) {
            LockSupport.parkNanos(PAUSE);
            System.gc();
            voice.say(new Entry.Used(
                    node,
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
                            .getOpenFileDescriptorCount(),
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                    System.nanoTime()));
        }
    }
}
