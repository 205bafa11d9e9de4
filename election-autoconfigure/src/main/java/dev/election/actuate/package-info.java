/** What an operator sees and may do through the actuator: endpoint, health, info. */
@NullMarked
package dev.election.actuate;

import org.jspecify.annotations.NullMarked;
