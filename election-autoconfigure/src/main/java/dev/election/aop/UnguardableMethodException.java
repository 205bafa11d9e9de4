package dev.election.aop;

import java.lang.reflect.AnnotatedElement;

/** A guard stands where it can't work. */
public final class UnguardableMethodException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String place;
    private final String action;

    UnguardableMethodException(AnnotatedElement place, String problem, String action) {
        super("The leader guard on " + place + " can't work: " + problem);
        this.place = place.toString();
        this.action = action;
    }

    UnguardableMethodException(String beanName, Class<?> type, String problem, String action) {
        super("The leader guard of the bean '" + beanName + "' of " + type + " can't work: " + problem);
        this.place = beanName;
        this.action = action;
    }

    /** Where the guard stands. */
    public String getPlace() {
        return place;
    }

    /** What to do. */
    public String getAction() {
        return action;
    }
}
