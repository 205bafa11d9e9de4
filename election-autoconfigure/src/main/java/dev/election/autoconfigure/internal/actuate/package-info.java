/** The actuator support: endpoint, health and info. */
@NullMarked
package dev.election.autoconfigure.internal.actuate;

import org.jspecify.annotations.NullMarked;
