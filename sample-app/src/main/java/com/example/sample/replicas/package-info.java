/**
 * Starts several replicas of the sample on one machine by one command. An application of your own needs none of it.
 *
 * <p>{@link Replicas} is the main class: it parses {@link Options}, starts a {@link ReplicaProcess} for each replica and copies what they
 * print, a thread for each. {@link ReplicaConfiguration} applies in a replica, which takes the next free port and logs its address.
 */
@NullMarked
package com.example.sample.replicas;

import org.jspecify.annotations.NullMarked;
