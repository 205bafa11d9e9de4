/** What happened: the entries that nodes and the nemesis append to a file, and nothing else that the checker knows. */
@NullMarked
package dev.election.faults.history;

import org.jspecify.annotations.NullMarked;
