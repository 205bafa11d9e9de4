/** The processes and links of a run: nodes, Redis servers, Sentinels, Clusters, PostgreSQL servers, and the proxies between them. */
@NullMarked
package dev.election.faults.world;

import org.jspecify.annotations.NullMarked;
