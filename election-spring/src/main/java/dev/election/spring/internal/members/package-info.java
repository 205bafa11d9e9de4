/** Finds the beans that handle messages of other members. */
@NullMarked
package dev.election.spring.internal.members;

import org.jspecify.annotations.NullMarked;
