package com.example.sample;

import com.example.sample.redis.EmbeddedRedis;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.util.ClassUtils;

/** Start it as often as you like on one machine: one replica writes the reports, the others are ready to take over. */
@SpringBootApplication
@EnableScheduling
public class SampleApplication {

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(SampleApplication.class);
        if (ClassUtils.isPresent("io.lettuce.core.RedisClient", null)) {
            application.addListeners(new EmbeddedRedis());
        }
        application.run(arguments);
    }
}
