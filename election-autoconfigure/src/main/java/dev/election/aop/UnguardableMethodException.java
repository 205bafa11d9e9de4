package dev.election.aop;

import java.lang.reflect.AnnotatedElement;

/** Thrown at startup for a guard that can't take effect. */
public final class UnguardableMethodException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String place;
    private final String action;

    /**
     * A guard that can't take effect.
     *
     * @param place the element that carries it
     * @param problem why it can't
     * @param action what to do about it
     */
    public UnguardableMethodException(AnnotatedElement place, String problem, String action) {
        super("The leader guard on " + place + " is invalid: " + problem);
        this.place = place.toString();
        this.action = action;
    }

    UnguardableMethodException(String beanName, Class<?> type, String problem, String action) {
        super("The leader guard of the bean '" + beanName + "' of " + type + " is invalid: " + problem);
        this.place = beanName;
        this.action = action;
    }

    /** The element or the bean that carries the guard. */
    public String getPlace() {
        return place;
    }

    /** What to do about it. */
    public String getAction() {
        return action;
    }
}
