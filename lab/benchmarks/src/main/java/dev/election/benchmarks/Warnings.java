package dev.election.benchmarks;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** Counts what this library logs at the level WARN or above, and shows none of it. */
final class Warnings extends AppenderBase<ILoggingEvent> {

    private final AtomicLong count = new AtomicLong();

    static Warnings count() {
        Warnings warnings = new Warnings();
        Logger library = (Logger) LoggerFactory.getLogger("dev.election");
        warnings.setContext(library.getLoggerContext());
        warnings.start();
        library.setLevel(Level.WARN);
        library.setAdditive(false);
        library.addAppender(warnings);
        return warnings;
    }

    long lines() {
        return count.get();
    }

    @Override
    protected void append(ILoggingEvent event) {
        count.incrementAndGet();
    }
}
