/** Three replicas of the sample, and a page on which one breaks them. Only for this machine. */
@NullMarked
package dev.election.playground;

import org.jspecify.annotations.NullMarked;
