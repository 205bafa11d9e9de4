package dev.election.quartz.internal.firing;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.quartz.impl.JobExecutionContextImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Makes {@link JobExecutionContext#isRecovering()} true. A JDBC store does so for every trigger of the recovery group; the store in
 * memory never does, and Quartz leaves no other way to tell a job.
 */
final class RecoveringFlag {

    private static final Logger log = LoggerFactory.getLogger(RecoveringFlag.class);

    private static final @Nullable Field FIELD =
            ReflectionUtils.findField(JobExecutionContextImpl.class, "recovering", boolean.class);

    private RecoveringFlag() {}

    static void raise(JobExecutionContext context) {
        if (context.isRecovering()) {
            return;
        }
        try {
            if (FIELD != null && context instanceof JobExecutionContextImpl) {
                ReflectionUtils.makeAccessible(FIELD);
                FIELD.setBoolean(context, true);
            }
        } catch (IllegalAccessException | RuntimeException failure) {
            log.debug("The flag can't be raised", failure);
        }
        if (!context.isRecovering()) {
            log.warn(
                    "Job {} is run again because the earlier leader crashed during it, but isRecovering() returns false",
                    context.getJobDetail().getKey());
        }
    }
}
