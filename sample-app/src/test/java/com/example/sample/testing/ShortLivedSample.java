package com.example.sample.testing;

import com.example.sample.SampleApplication;
import dev.election.Election;
import dev.election.Elections;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The sample with its context closed by itself: the process ends only if no thread holds it. */
final class ShortLivedSample {

    private ShortLivedSample() {}

    public static void main(String[] arguments) throws InterruptedException {
        ConfigurableApplicationContext context = SpringApplication.run(SampleApplication.class, arguments);
        context.getBean(Elections.class).get(Election.DEFAULT).awaitLeadership(Duration.ofSeconds(30));
        context.close();
        System.out.println("Closed");
    }
}
