/** Guards of Quartz jobs, as an application configures them. */
@NullMarked
package dev.election.quartz;

import org.jspecify.annotations.NullMarked;
