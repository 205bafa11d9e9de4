/**
 * Annotations of this library on beans, for modules that read some: guards, fences, routes and handlers of messages.
 *
 * <p>A module looks at every bean of an application, on the thread that creates the beans. It first asks {@link LibraryAnnotations}, which
 * rules out nearly all classes at little cost, and only then searches for an annotation of its own.
 *
 * <p>{@link ElectionAnnotation} resolves the name of an election and other attributes, which may be placeholders, and words the errors of
 * annotations that can't take effect. {@link Interceptable} tells which methods of a class a proxy can intercept, and what to change where it
 * can't, so that the start fails in place of a call that nothing guards.
 *
 * <p>Everything here is computed from classes alone: no bean is created and no election is joined. Begin with {@link LibraryAnnotations}.
 */
@NullMarked
package dev.election.spring.annotation;

import org.jspecify.annotations.NullMarked;
