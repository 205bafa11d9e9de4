package dev.election.lifecycle;

/** A bean is bound to leadership that can't be started and stopped. */
public final class LeaderBoundBeanException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LeaderBoundBeanException(String beanName, Class<?> type) {
        super("The bean '" + beanName + "' is marked leader-only where it is made, but its type " + type.getName()
                + " is no Lifecycle, so leadership can't start and stop it");
    }
}
