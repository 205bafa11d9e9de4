/** The actuator support: endpoint, health and info. */
@NullMarked
package dev.election.actuate;

import org.jspecify.annotations.NullMarked;
