package dev.election.fencing;

import java.lang.reflect.AnnotatedElement;

/** Thrown at startup for a fence that can't take effect. */
public final class UnfenceableMethodException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    UnfenceableMethodException(AnnotatedElement place, String problem, String action) {
        super("@Fenced on " + place + " is invalid: " + problem);
        this.action = action;
    }

    UnfenceableMethodException(String beanName, Class<?> type, String problem, String action) {
        super("@Fenced in the bean '" + beanName + "' of " + type + " is invalid: " + problem);
        this.action = action;
    }

    /** What to do about it. */
    public String getAction() {
        return action;
    }
}
