package dev.election.test;

import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionParticipationAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Lets a test decide who leads: the elections of its context are {@link TestElections}, which can be injected. Nobody leads before
 * each test method, unless {@link Leads} says otherwise. For {@code @SpringBootTest} and for slices, where it brings guarded methods
 * and leader-bound beans along.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Import(TestElectionsConfiguration.class)
@ImportAutoConfiguration({ElectionAopAutoConfiguration.class, ElectionParticipationAutoConfiguration.class})
public @interface AutoConfigureTestElections {}
