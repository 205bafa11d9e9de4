/** Lets the tests of an application decide who leads, without Redis and without waiting. */
@NullMarked
package dev.election.test;

import org.jspecify.annotations.NullMarked;
