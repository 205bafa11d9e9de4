package dev.election.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** What a native image would leave out: the field by which a job learns that it is run again, and the way to a job store. */
final class ElectionQuartzRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerType(
                        TypeReference.of("org.quartz.impl.JobExecutionContextImpl"),
                        MemberCategory.ACCESS_DECLARED_FIELDS)
                .registerType(TypeReference.of("org.quartz.impl.StdScheduler"), MemberCategory.ACCESS_DECLARED_FIELDS)
                .registerType(
                        TypeReference.of("org.quartz.core.QuartzScheduler"), MemberCategory.ACCESS_DECLARED_FIELDS);
        hints.proxies().registerJdkProxy(TypeReference.of("org.quartz.spi.JobStore"));
    }
}
