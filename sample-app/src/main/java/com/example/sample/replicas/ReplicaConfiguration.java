package com.example.sample.replicas;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures a replica that has others on its machine. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(ReplicaConfiguration.NAME)
class ReplicaConfiguration {

    static final String NAME = "sample.replica";

    private static final Logger log = LoggerFactory.getLogger(ReplicaConfiguration.class);

    @Bean
    WebServerFactoryCustomizer<TomcatWebServerFactory> nextFreePort() {
        return factory -> factory.setProtocol(NextFreePort.class.getName());
    }

    /** {@link ReplicaProcess} reads this line. */
    @Bean
    ApplicationListener<ApplicationReadyEvent> address(@Value("${" + NAME + "}") String name) {
        return event -> log.info(
                "{} is process {} and answers at http://localhost:{}",
                name,
                ProcessHandle.current().pid(),
                event.getApplicationContext().getEnvironment().getRequiredProperty("local.server.port"));
    }
}
