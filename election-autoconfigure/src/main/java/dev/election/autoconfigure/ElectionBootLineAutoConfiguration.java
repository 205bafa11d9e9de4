package dev.election.autoconfigure;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/**
 * Fails the start if Spring Boot is too old. With earlier versions the conditions of the other auto-configurations do not match, so an
 * application would start without elections, and its Quartz jobs would run on every node.
 */
@AutoConfiguration
public final class ElectionBootLineAutoConfiguration {

    ElectionBootLineAutoConfiguration() {
        require(SpringBootVersion.getVersion());
    }

    static void require(String version) {
        if (BootLineFailureAnalyzer.isTooOld(version)) {
            throw BootLineFailureAnalyzer.tooOld(version);
        }
    }
}
