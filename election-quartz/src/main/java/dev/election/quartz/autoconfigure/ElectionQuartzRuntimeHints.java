package dev.election.quartz.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Registers for native images the fields of Quartz that are read by reflection, and the proxy of the job store. */
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
