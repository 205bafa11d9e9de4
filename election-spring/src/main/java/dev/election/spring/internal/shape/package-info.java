/**
 * Shapes of results: the empty result of a skipped call, how a refused one fails, and when the work of a call has ended.
 *
 * <p>{@link ReturnShape} finds the shape of a method when its bean is created, and begins the story: a plain result ends the work when the
 * method returns, a stage when it completes. The guard hands the result and the work over on the thread of the call; the shape returns the
 * result to pass on.
 *
 * <p>A {@link ColdShape} describes work that is done at each subscription, on the thread of the subscriber: of a publisher
 * ({@link ReactiveShape}), of a Kotlin flow ({@link FlowShape}, {@link WatchedFlow}) or of a suspend function ({@link CoroutineShape}, whose
 * {@link CoroutineCall} is one call of it). {@link KotlinFailure} rethrows exceptions as Kotlin does.
 *
 * <p>Reactor and Kotlin are optional: their classes are loaded only for methods that return their types.
 */
@NullMarked
package dev.election.spring.internal.shape;

import org.jspecify.annotations.NullMarked;
