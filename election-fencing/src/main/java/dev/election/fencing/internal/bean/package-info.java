/**
 * The beans with fenced methods: found, checked and advised once, while the application starts, on its starting thread.
 *
 * <p>In comes each bean that Spring has created. {@link dev.election.fencing.internal.bean.FencePostProcessor} keeps those whose class has a mark
 * ({@link dev.election.fencing.internal.bean.FenceMarks} looks for one without reading it) and collects the fenced methods of the class:
 *
 * <ol>
 * <li>{@link dev.election.fencing.internal.bean.FenceReader} reads the annotation of a method into a fence and resolves placeholders.
 * <li>{@link dev.election.fencing.internal.bean.FencedMethods} checks that a proxy reaches the method and that it runs in a transaction of one
 *     database. An invalid fence fails the start.
 * <li>{@link dev.election.fencing.internal.bean.SelfCalls} warns of methods of the class that call a fenced one past the proxy.
 * </ol>
 *
 * <p>Out goes the proxy with two advisors more ({@link dev.election.fencing.internal.bean.FenceAdvisor}): one directly before the transaction
 * advice, which raises the token of the resource, and one directly after it, which joins the transaction. The work at a call is done by
 * {@code internal.transaction}. {@link dev.election.fencing.internal.bean.RefusedFences} takes the place of the post-processor where an
 * application can have no fences, and fails at the first one.
 *
 * <p>Begin with {@code FencePostProcessor}.
 */
@NullMarked
package dev.election.fencing.internal.bean;

import org.jspecify.annotations.NullMarked;
