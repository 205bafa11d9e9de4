/** Settings of elections in an application with Spring. */
@NullMarked
package dev.election.spring;

import org.jspecify.annotations.NullMarked;
