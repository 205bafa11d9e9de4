/**
 * The record store over Leases. {@link KubernetesRecordStore} turns each request into one of {@link ApiServer}, on two connections that are kept;
 * {@link LeaseEvents} listens on a third one.
 */
@NullMarked
package dev.election.kubernetes.internal;

import org.jspecify.annotations.NullMarked;
