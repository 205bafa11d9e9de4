package dev.election.autoconfigure;

import dev.election.aop.UnguardableMethodException;
import dev.election.fencing.UnfenceableMethodException;
import dev.election.lifecycle.LeaderBoundBeanException;
import dev.election.quartz.UnguardableJobException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Explains why an application failed to start because of its elections, with the action. */
final class ElectionFailureAnalyzer implements FailureAnalyzer {

    private static final String WITHOUT_REDIS =
            " Or define a LeaseStore bean of your own, or set election.enabled=false to run guarded methods on every replica.";

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidElectionPropertyException invalid) {
                return analysis(invalid, "Set a valid value for " + invalid.property() + ".");
            }
            if (cause instanceof UnguardableMethodException unguardable) {
                return analysis(unguardable, unguardable.getAction());
            }
            if (cause instanceof UnfenceableMethodException unfenceable) {
                return analysis(unfenceable, unfenceable.getAction());
            }
            if (cause instanceof LeaderBoundBeanException unstartable) {
                return analysis(unstartable, unstartable.getAction());
            }
            if (cause instanceof UnguardableJobException unguardable) {
                return analysis(unguardable, unguardable.getAction());
            }
            if (cause instanceof NoElectionsException none) {
                return analysis(none, none.action() + WITHOUT_REDIS);
            }
            if (cause instanceof MissingLogbookException missing) {
                return analysis(missing, missing.action());
            }
            if (cause instanceof MissingPermissionException missing) {
                return analysis(missing, missing.action());
            }
            if (cause instanceof UnsupportedConnectionFactoryException unsupported) {
                return analysis(unsupported, unsupported.action() + WITHOUT_REDIS);
            }
        }
        return null;
    }

    private static FailureAnalysis analysis(Throwable failure, String action) {
        return new FailureAnalysis(String.valueOf(failure.getMessage()), action, failure);
    }
}
