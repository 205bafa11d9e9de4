package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains why an application failed to start because of its elections, with the action. */
public final class ElectionFailureAnalyzer extends AbstractFailureAnalyzer<ElectionConfigurationException> {

    @Override
    public FailureAnalysis analyze(Throwable rootFailure, ElectionConfigurationException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.getAction(), cause);
    }
}
