/** Messages between members: how they are written, and how those that come wait for their handlers. */
@NullMarked
package dev.election.internal.messages;

import org.jspecify.annotations.NullMarked;
