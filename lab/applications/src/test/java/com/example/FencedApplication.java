package com.example;

import dev.election.fencing.Fenced;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with a fenced method, in a package of its own: classes of the library are not searched for annotations. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = QuartzAutoConfiguration.class)
public class FencedApplication {

    /** What is printed after the start. */
    public static final String STARTED = "The application has started";

    @Bean
    Accounts accounts() {
        return new Accounts();
    }

    public static void main(String[] arguments) {
        SpringApplication starting = new SpringApplication(FencedApplication.class);
        starting.setWebApplicationType(WebApplicationType.NONE);
        starting.run("--spring.data.redis.port=1").close();
        System.out.println(STARTED);
    }

    static class Accounts {
        @Fenced(resource = "accounts")
        public void book() {}
    }
}
