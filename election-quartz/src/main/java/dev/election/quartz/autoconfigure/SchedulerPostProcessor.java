package dev.election.quartz.autoconfigure;

import dev.election.quartz.internal.turns.QuartzGuards;
import java.util.function.Supplier;
import org.quartz.Scheduler;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;

/** Guards each Quartz scheduler when its bean has been created, before it can be started. It leaves all other beans alone. */
final class SchedulerPostProcessor implements BeanPostProcessor {

    private final Supplier<QuartzGuards> guards;

    SchedulerPostProcessor(Supplier<QuartzGuards> guards) {
        this.guards = guards;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SchedulerFactoryBean factory) {
            guards.get().guard(factory.getScheduler());
        } else if (bean instanceof Scheduler scheduler) {
            guards.get().guard(scheduler);
        }
        return bean;
    }
}
