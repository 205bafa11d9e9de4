package dev.election.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The common part of node processes that are whole applications with a job each second. They say {@code BEGUN} and {@code ENDED} with the slot. */
final class ScheduledNode {

    /** Each second. */
    static final String CRON = "* * * * * *";

    /** Duration of the work of a slot. */
    private static final int WORK_MILLIS = 300;

    private final Voice voice = new Voice(System.out);

    /** Does the work of a slot. */
    void work(Instant slot) {
        voice.say("BEGUN", slot.getEpochSecond());
        try {
            TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return;
        }
        voice.say("ENDED", slot.getEpochSecond());
    }

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     * @param application with the job
     * @param properties beside those of Redis and the node
     */
    void run(String[] arguments, Class<?> application, List<String> properties) throws IOException {
        try {
            new SpringApplicationBuilder(Common.class, application)
                    .web(WebApplicationType.NONE)
                    .registerShutdownHook(false)
                    .initializers(context -> context.getBeanFactory().registerSingleton("node", this))
                    .properties(
                            "spring.main.banner-mode=off",
                            "logging.level.root=error",
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=" + arguments[1],
                            "election.store=redis",
                            "election.node.id=" + arguments[0],
                            "election.lease=" + arguments[2] + "ms")
                    .properties(properties.toArray(String[]::new))
                    .run();
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("hello")) {
                    voice.say("HELLO", System.nanoTime());
                }
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Common {

        @Bean
        TaskScheduler taskScheduler() {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setPoolSize(4);
            scheduler.setDaemon(true);
            return scheduler;
        }
    }
}
