/** The interface of stores: atomic requests, their replies and events, and optional capabilities. */
@NullMarked
package dev.election.store;

import org.jspecify.annotations.NullMarked;
