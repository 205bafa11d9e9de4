/**
 * Handlers of messages between members as beans: {@link MessageHandlerBeans} finds the beans and methods with
 * {@code @NodeMessageHandler} when all singletons have been created, and registers them. A {@link HandlerMethod} calls the method when a
 * message comes.
 */
@NullMarked
package dev.election.spring.internal.members;

import org.jspecify.annotations.NullMarked;
