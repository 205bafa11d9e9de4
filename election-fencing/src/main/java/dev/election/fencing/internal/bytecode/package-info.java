/**
 * Reads which methods a method calls on {@code this}.
 *
 * <p>In comes the bytecode of one method, instruction by instruction, from the reader of classes of Spring Framework.
 * {@link dev.election.fencing.internal.bytecode.ThisCalls} follows the operand stack: it knows for each word whether it is {@code this}, so that
 * a call on another object of the same class, such as an injected proxy, does not count. Out goes the name and descriptor of each method that
 * is called on {@code this}, also by a lambda or a method reference.
 *
 * <p>{@link dev.election.fencing.internal.bytecode.InstructionWords} has the number of words that each plain instruction takes from the stack and
 * gives to it. After a jump the stack is that of the first jump to the target. Code that can't be followed gives fewer calls and never an error:
 * the only reader is a warning at the start.
 *
 * <p>Runs on the starting thread, for classes with fences only, and keeps nothing. Begin with {@code ThisCalls}.
 */
@NullMarked
package dev.election.fencing.internal.bytecode;

import org.jspecify.annotations.NullMarked;
