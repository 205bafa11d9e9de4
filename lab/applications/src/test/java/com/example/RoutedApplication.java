package com.example;

import dev.election.routing.OnLeader;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application with a handler for its leader, in a package of its own: classes of the library are not searched for annotations. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = QuartzAutoConfiguration.class)
public class RoutedApplication {

    @Bean
    Orders orders() {
        return new Orders();
    }

    public static void main(String[] arguments) {
        SpringApplication starting = new SpringApplication(RoutedApplication.class);
        starting.setWebApplicationType(WebApplicationType.NONE);
        starting.run("--spring.data.redis.port=1").close();
        System.out.println(FencedApplication.STARTED);
    }

    @RestController
    static class Orders {
        @OnLeader("orders")
        @GetMapping("/orders")
        String all() {
            return "";
        }
    }
}
