/** Leader work for Micrometer's context propagation. Only applications that have it use it. */
@NullMarked
package dev.election.spring.internal.context;

import org.jspecify.annotations.NullMarked;
