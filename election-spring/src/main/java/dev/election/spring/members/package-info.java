/**
 * Handlers of messages between members as beans.
 *
 * <p>When all singletons have been created, {@link MessageHandlerBeans} finds the beans and methods with {@code @NodeMessageHandler} and
 * registers them with the messages of the elections, which it asks for only if there are any. A handler whose method has no fitting parameters,
 * or whose type is taken, fails the start.
 *
 * <p>When a message comes, a {@link HandlerMethod} calls the method of the bean on the thread of the messages, and creates the bean if it is
 * lazy or has a scope. What the method returns is the reply. {@link MessageHandlerHints} keeps the methods in a native image.
 */
@NullMarked
package dev.election.spring.members;

import org.jspecify.annotations.NullMarked;
