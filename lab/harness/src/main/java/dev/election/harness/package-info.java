/** What tests, fault runs and benchmarks are made of: processes, Redis servers and groups of them, PostgreSQL servers, ports, folders and links. */
@NullMarked
package dev.election.harness;

import org.jspecify.annotations.NullMarked;
