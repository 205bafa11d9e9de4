package dev.election.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Starts processes of its own and kills, stops or ends them. Runs with {@code mvn verify -Pall} only. */
@Tag("kills-processes")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface KillsProcesses {}
