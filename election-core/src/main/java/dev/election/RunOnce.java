package dev.election;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a bean once for all processes that share a store, before the runners of the application and before it takes part in its
 * elections. It runs at least once, and never in two processes at a time outside the list of exceptions in the guarantees: make it
 * repeatable or fence it.
 *
 * <p>The method is public, returns nothing and has no parameter, or a {@link LeaderWork}. If it throws, it is tried again, three times in all
 * for each version of the application; then the start fails. The methods of an application run in the order of their ids.
 *
 * <p>On a {@code @Bean} method it runs a migration once, when Spring would: that of a {@code FlywayMigrationStrategy}, or the
 * {@code afterPropertiesSet} of an {@code InitializingBean} such as {@code SpringLiquibase}. Each process creates the bean. With
 * {@code election.enabled=false} each one migrates.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RunOnce {

    /** The id of the task, or a placeholder. {@code once.} before it is the name of its election. */
    String value();
}
