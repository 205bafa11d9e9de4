package dev.election.autoconfigure.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Matches if the application keeps its leases in that store: the one that {@code election.store} names, or the only one on the class path. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnStore.class)
public @interface ConditionalOnStore {

    /** The {@linkplain StoreDiagnosis#store() name} of the store. */
    String value();
}
