package dev.election.test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes {@link TestElections} the elections of a context, so that the library's own, and their connections to Redis, are never made. */
@Configuration(proxyBeanMethods = false)
public class TestElectionsConfiguration {

    @Bean
    TestElections testElections() {
        return new TestElections();
    }
}
