package dev.election.members;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Handles the messages of a type in an application with Spring. The annotation stands on a method of a bean, or on a bean that is a
 * {@link MessageHandler}: on its type, or on its {@code @Bean} method. The method has one parameter, the body as a {@code String} or the
 * {@link ReceivedMessage}, and returns the reply as a {@code String}, or nothing. A method that can't be called, and a second handler of a
 * type, are errors at the start.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface NodeMessageHandler {

    /** The type of the messages: 1 to 64 of A-Z a-z 0-9 . _ : -, may contain {@code ${...}} placeholders. */
    String value();
}
