/** Fencing tokens between services: sent with the requests of leader work, and checked by who receives them. */
@NullMarked
package dev.election.fencing.http;

import org.jspecify.annotations.NullMarked;
