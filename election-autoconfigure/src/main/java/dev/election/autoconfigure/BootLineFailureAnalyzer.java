package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;

/**
 * Explains that Spring Boot is too old. With an earlier version an application compiles and is packaged, but can't load the
 * auto-configuration of this library when it starts.
 */
final class BootLineFailureAnalyzer implements FailureAnalyzer, Ordered {

    private static final int FIRST_LINE = 4;
    private static final String OURS = "dev.election.";

    private final String version;

    BootLineFailureAnalyzer() {
        this(SpringBootVersion.getVersion());
    }

    BootLineFailureAnalyzer(String version) {
        this.version = version;
    }

    /** Before the analyzers of Spring Boot, which would advise to add the missing class. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        if (!isTooOld(version) || !concernsElections(failure)) {
            return null;
        }
        ElectionConfigurationException tooOld = tooOld(version);
        return new FailureAnalysis(tooOld.getMessage() + ".", tooOld.getAction(), failure);
    }

    static ElectionConfigurationException tooOld(String version) {
        return new ElectionConfigurationException(
                "election-spring-boot-starter needs Spring Boot 4, but this application runs on Spring Boot " + version,
                "Move the application to Spring Boot 4.0 or later (the parent or the BOM of its build), or remove"
                        + " election-spring-boot-starter.");
    }

    static boolean isTooOld(String version) {
        try {
            return Integer.parseInt(version.substring(0, version.indexOf('.'))) < FIRST_LINE;
        } catch (NumberFormatException | IndexOutOfBoundsException unknown) {
            return false;
        }
    }

    private static boolean concernsElections(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getName().startsWith(OURS)
                    || String.valueOf(cause.getMessage()).contains(OURS)) {
                return true;
            }
        }
        return false;
    }
}
