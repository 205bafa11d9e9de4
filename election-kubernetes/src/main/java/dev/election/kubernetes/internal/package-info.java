/**
 * The record store over Leases. {@link KubernetesRecordStore} turns each request into one of {@link ApiServer}, on two connections that are kept;
 * {@link LeaseWatch} listens on a third one, on a thread of its own. {@link Proof} decides for how long the store has been the same.
 */
@NullMarked
package dev.election.kubernetes.internal;

import org.jspecify.annotations.NullMarked;
