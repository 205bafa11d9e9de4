package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.Elections;
import dev.election.testing.RedisBinary;
import dev.election.testing.RedisServer;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** An application that makes its own connection factory needs no spring-boot-data-redis. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@ExtendWith(OutputCaptureExtension.class)
class WithoutBootDataRedisTest {

    @Test
    void it_leads_and_nothing_is_said_of_a_type_that_is_not_there(CapturedOutput output) throws Exception {
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);
                URLClassLoader without = classPathWithout("spring-boot-data-redis")) {
            Thread thread = new Thread(() -> run(without, redis.port()), "without-boot-data-redis");
            thread.setContextClassLoader(without);
            thread.start();
            thread.join();
        }
        assertThat(output).contains("leads: true").doesNotContain("TypeNotPresentException");
        // The finalizer speaks of what an earlier test of this JVM has left behind.
        assertThat(output.toString().lines())
                .noneMatch(line -> line.contains(" WARN ") && !line.contains("[Finalizer]"));
    }

    private static void run(ClassLoader loader, int port) {
        try {
            loader.loadClass(Application.class.getName())
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) new String[] {Integer.toString(port)});
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** With nothing of this class path behind it. */
    private static URLClassLoader classPathWithout(String module) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator)) {
            if (new File(entry).getName().startsWith(module)) {
                left.add(entry);
            } else {
                urls.add(new File(entry).toURI().toURL());
            }
        }
        assertThat(left).as("what is left out").hasSize(1);
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Application {

        public static void main(String[] arguments) throws InterruptedException {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .registerShutdownHook(false)
                    .properties("spring.main.banner-mode=off", "redis.port=" + arguments[0])
                    .run()) {
                Election election = context.getBean(Elections.class).get(Election.DEFAULT);
                System.out.println("leads: " + election.awaitLeadership(Duration.ofSeconds(20)));
            }
        }

        @Bean
        LettuceConnectionFactory connections(@Value("${redis.port}") int port) {
            return new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
        }
    }
}
