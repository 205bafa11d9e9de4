/** The wiring of the store over etcd in a Spring Boot application. */
@NullMarked
package dev.election.etcd.autoconfigure;

import org.jspecify.annotations.NullMarked;
