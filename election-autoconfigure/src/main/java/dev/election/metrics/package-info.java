/** What is measured of elections, by Micrometer. */
@NullMarked
package dev.election.metrics;

import org.jspecify.annotations.NullMarked;
