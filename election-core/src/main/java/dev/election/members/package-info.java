/** Which processes are there, and what each of them says of itself. */
@NullMarked
package dev.election.members;

import org.jspecify.annotations.NullMarked;
