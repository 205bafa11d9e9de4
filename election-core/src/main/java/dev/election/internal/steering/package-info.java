/** Who should lead: pure functions of what members say of themselves and of what the store remembers. No I/O, no thread, no clock. */
@NullMarked
package dev.election.internal.steering;

import org.jspecify.annotations.NullMarked;
