package dev.election.test;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** An application as a user has it, with Redis on the class path. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@EnableScheduling
class TestedApplication {

    @Bean
    Reports reports() {
        return new Reports();
    }

    @Bean
    @LeaderOnly("consumer")
    Consumer consumer() {
        return new Consumer();
    }

    static class Reports {

        private final AtomicInteger written = new AtomicInteger();

        @LeaderOnly("reports")
        @Scheduled(cron = "0 0 3 29 2 *")
        public void write() {
            written.incrementAndGet();
        }

        @LeaderOnly("reports")
        public Optional<Long> token() {
            return FencingToken.current().map(FencingToken::value);
        }

        public int written() {
            return written.get();
        }
    }

    static class Consumer implements SmartLifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}
