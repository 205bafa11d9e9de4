package dev.election.spring.scheduling;

import static dev.election.spring.annotation.ElectionAnnotation.GUARD;

import dev.election.spring.calls.JobTerms;
import dev.election.spring.internal.slot.CronSchedule;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;

/** Reads the schedules of guarded methods from their annotations, and refuses combinations that can't work. */
public final class ScheduledMethods {

    private final boolean isRecorded;
    private final UnaryOperator<String> placeholders;

    /** The owners of names that were given to jobs. */
    private final Map<String, Owner> owners = new ConcurrentHashMap<>();

    /**
     * Creates the reader of the annotations of a context.
     *
     * @param isRecorded whether the application wants slots to be recorded
     * @param placeholders replaces placeholders and expressions in cron expressions and zones
     */
    public ScheduledMethods(boolean isRecorded, UnaryOperator<String> placeholders) {
        this.isRecorded = isRecorded;
        this.placeholders = placeholders;
    }

    boolean isScheduled(Method method) {
        return !annotations(method).isEmpty();
    }

    List<CronSchedule> schedules(String job, Method method) {
        return annotations(method).stream()
                .filter(found -> CronSchedule.isCron(placeholders.apply(found.cron())))
                .map(found -> CronSchedule.of(job, placeholders.apply(found.cron()), placeholders.apply(found.zone())))
                .toList();
    }

    /** The scheduler that a method names, empty for the usual one. */
    String schedulerOf(Method method) {
        return annotations(method).stream()
                .map(found -> placeholders.apply(found.scheduler()))
                .findFirst()
                .orElse("");
    }

    /** Fails if another method has that name: two jobs of one name would take each other's slots and starts. */
    void checkName(String name, String bean, Method method) {
        Owner owner = new Owner(bean, method.getName(), List.of(method.getParameterTypes()));
        Owner before = owners.putIfAbsent(name, owner);
        if (before != null && !before.equals(owner)) {
            throw GUARD.invalid(
                    method,
                    "the job name '" + name + "' is also that of " + before.bean + "." + before.method,
                    "Give each job a name of its own.");
        }
    }

    /** Checks the terms of a job that is not to be started again too soon. */
    void checkSpaced(Method method, JobTerms terms) {
        if (terms.recoverWithin() != null && !terms.recoverWithin().isZero()) {
            throw GUARD.invalid(
                    method,
                    "both atLeastFor and recoverWithin are set, and a slot runs once anyhow",
                    "Remove one of them.");
        }
        if (!isRecorded) {
            throw GUARD.invalid(
                    method,
                    "atLeastFor is set, but starts are not recorded",
                    "Set election.jobs.ledger to store, or remove atLeastFor.");
        }
    }

    /**
     * Checks the terms of a job whose missed slots may be recovered.
     *
     * @param within for how long
     */
    void checkRecovered(Method method, JobTerms terms, Duration within, List<CronSchedule> schedules) {
        boolean isAsked = terms.recoverWithin() != null && !within.isZero();
        if (isAsked
                && terms.ofMethod()
                && annotations(method).stream().allMatch(found -> found.cron().isBlank())) {
            throw GUARD.invalid(
                    method,
                    "recoverWithin is set, but the method has no cron expression whose slots could be missed",
                    "Schedule it by @Scheduled(cron = ...), or remove recoverWithin.");
        }
        if (isAsked && !isRecorded) {
            throw GUARD.invalid(
                    method,
                    "recoverWithin is set, but slots are not recorded",
                    "Set election.jobs.ledger to store, or remove recoverWithin.");
        }
        if (terms.rerunInterrupted() && within.isZero() && terms.ofMethod()) {
            throw GUARD.invalid(
                    method,
                    "rerunInterrupted is set, but without recoverWithin nothing is recorded of the job",
                    "Set recoverWithin.");
        }
        if (schedules.stream().map(CronSchedule::name).distinct().count() < schedules.size()) {
            throw GUARD.invalid(method, "two of its schedules are the same", "Remove one of the two annotations.");
        }
    }

    private static Set<Scheduled> annotations(Method method) {
        return AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class, Schedules.class);
    }

    /**
     * The method that has a name.
     *
     * @param bean its name
     * @param method its name
     * @param parameters of the method
     */
    private record Owner(String bean, String method, List<Class<?>> parameters) {}
}
