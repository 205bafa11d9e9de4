/**
 * The tag that all meters of the library have in common: {@link ApplicationTag}. A module that adds meters of its own gives them this tag, so
 * that a dashboard tells the applications of one store apart.
 */
@NullMarked
package dev.election.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
