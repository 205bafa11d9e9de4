/** What tests, fault runs and benchmarks are made of: processes, Redis servers and groups of them, ports, folders and links. */
@NullMarked
package dev.election.harness;

import org.jspecify.annotations.NullMarked;
