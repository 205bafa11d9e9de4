package dev.election.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Searches many histories: simulated worlds, removed guards, compared rules. Costs processor time. Runs with {@code mvn verify -Pall} only. */
@Tag("thorough")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Thorough {}
