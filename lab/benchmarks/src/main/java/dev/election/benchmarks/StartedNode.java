package dev.election.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * The common part of the applications of {@code start}: with web, Actuator and a Redis that is used while the application starts. They say
 * {@code START} with how long that took since the virtual machine began.
 */
final class StartedNode {

    /** Schedule of the job that each of the applications has. */
    static final String CRON = "*/2 * * * * *";

    private StartedNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     * @param application with the job
     */
    static void run(String[] arguments, Class<?> application) throws IOException, InterruptedException {
        Voice voice = new Voice(System.out);
        try {
            Stopwatch started = new Stopwatch();
            new SpringApplicationBuilder(Common.class, application)
                    .web(WebApplicationType.SERVLET)
                    .listeners(started)
                    .properties(
                            "spring.main.banner-mode=off",
                            "logging.level.root=error",
                            "server.port=0",
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=" + arguments[1])
                    .run();
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                switch (line) {
                    case "hello" -> voice.say("HELLO", System.nanoTime());
                    case "used" ->
                        voice.say("USED", started.millis, Gauge.read().line(), loadedClasses());
                    default -> voice.say("COLLECTED", Gauge.afterCollection().line());
                }
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private static long loadedClasses() {
        return ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
    }

    /** Before all others that hear of the start. */
    private static final class Stopwatch implements ApplicationListener<ApplicationStartedEvent>, Ordered {

        private volatile long millis;

        @Override
        public void onApplicationEvent(ApplicationStartedEvent started) {
            millis = System.currentTimeMillis()
                    - ManagementFactory.getRuntimeMXBean().getStartTime();
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Common {

        @Bean
        Visits visits(StringRedisTemplate redis) {
            return new Visits(redis);
        }
    }

    /** Data that the application keeps in Redis. */
    static final class Visits {

        Visits(StringRedisTemplate redis) {
            redis.opsForValue().set("visits", "0");
        }
    }
}
