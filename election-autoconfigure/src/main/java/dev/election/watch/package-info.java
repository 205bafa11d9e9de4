/** What this node has seen of its elections so far, for all who show it: endpoint, health, metrics. */
@NullMarked
package dev.election.watch;

import org.jspecify.annotations.NullMarked;
