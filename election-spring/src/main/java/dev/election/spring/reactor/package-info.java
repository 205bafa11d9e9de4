/** Leader work in the context of Reactor. Only applications that have Reactor use it. */
@NullMarked
package dev.election.spring.reactor;

import org.jspecify.annotations.NullMarked;
