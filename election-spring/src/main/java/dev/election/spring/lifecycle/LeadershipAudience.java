package dev.election.spring.lifecycle;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.List;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;

/**
 * Tells whether an application listens to leadership.
 *
 * @param context the context of the application, all of whose singletons have been created
 * @param beans of that context
 */
public record LeadershipAudience(ApplicationContext context, ConfigurableListableBeanFactory beans) {

    /** The types of leadership events, listed since a native image can't be asked for the permitted subclasses. */
    static final List<Class<? extends LeadershipEvent>> EVENTS = List.of(
            LeadershipEvent.ElectionStarted.class,
            LeadershipEvent.ElectionCompleted.class,
            LeadershipEvent.Recovering.class,
            LeadershipEvent.RecoveryFailed.class,
            LeadershipEvent.Acquired.class,
            LeadershipEvent.Resigning.class,
            LeadershipEvent.Resumed.class,
            LeadershipEvent.LeaseAtRisk.class,
            LeadershipEvent.LeaseSecured.class,
            LeadershipEvent.Lost.class,
            LeadershipEvent.LeaderChanged.class,
            LeadershipEvent.RoleChanged.class,
            LeadershipEvent.StoreFailed.class,
            LeadershipEvent.StoreRecovered.class,
            LeadershipEvent.ApplicationsDiffer.class);

    /** Whether there is a {@link LeadershipListener} bean, or a listener to Spring events that names a {@link LeadershipEvent}. */
    public boolean isPresent() {
        return hasListenerBean() || hasEventListener();
    }

    /** Whether there is a listener apart from beans of the infrastructure, such as the publication of the events and the meters. */
    private boolean hasListenerBean() {
        for (String name : beans.getBeanNamesForType(LeadershipListener.class)) {
            boolean isInfrastructure = beans.containsBeanDefinition(name)
                    && beans.getMergedBeanDefinition(name).getRole() == BeanDefinition.ROLE_INFRASTRUCTURE;
            if (!isInfrastructure) {
                return true;
            }
        }
        return false;
    }

    private boolean hasEventListener() {
        return new EventAudience(context, EVENTS).isPresent();
    }
}
