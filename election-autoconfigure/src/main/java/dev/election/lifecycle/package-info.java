/** When an application takes part in its elections, what it publishes of them, and beans that live only while it leads. */
@NullMarked
package dev.election.lifecycle;

import org.jspecify.annotations.NullMarked;
