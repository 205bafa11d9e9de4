/**
 * Leases of Kubernetes: {@link KubernetesLeaseStore} keeps each election in a Lease of a namespace. {@link KubernetesAccess} says how the API server
 * is reached, in a pod by the mounted service account.
 */
@NullMarked
package dev.election.kubernetes;

import org.jspecify.annotations.NullMarked;
