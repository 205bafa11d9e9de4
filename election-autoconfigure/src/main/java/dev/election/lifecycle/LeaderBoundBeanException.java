package dev.election.lifecycle;

/** A bean is bound to leadership that can't be started and stopped by it. */
public final class LeaderBoundBeanException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    LeaderBoundBeanException(String beanName, String problem, String action) {
        super("The bean '" + beanName + "' is marked leader-only, but " + problem);
        this.action = action;
    }

    /** What to do. */
    public String getAction() {
        return action;
    }
}
