/** Quartz jobs that run on the leader only, none doubled and none lost. */
@NullMarked
package dev.election.quartz.internal;

import org.jspecify.annotations.NullMarked;
