/** Routes the requests of a servlet container. */
@NullMarked
package dev.election.routing.internal.servlet;

import org.jspecify.annotations.NullMarked;
