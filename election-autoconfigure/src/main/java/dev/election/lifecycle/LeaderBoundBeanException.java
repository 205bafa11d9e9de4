package dev.election.lifecycle;

/** Thrown for a leader-only bean that leadership can't start and stop. */
public final class LeaderBoundBeanException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    LeaderBoundBeanException(String beanName, String problem, String action) {
        super("The bean '" + beanName + "' is marked leader-only, but " + problem);
        this.action = action;
    }

    /** What to do about it. */
    public String getAction() {
        return action;
    }
}
