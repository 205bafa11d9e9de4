package dev.election.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Waits for leases and time limits of real servers, which hand-driven time can't end sooner. Runs with {@code mvn verify -Pall} only. */
@Tag("real-time")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface RealTime {}
