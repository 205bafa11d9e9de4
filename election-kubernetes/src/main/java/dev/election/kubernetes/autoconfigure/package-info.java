/**
 * The wiring of the store over Kubernetes in a Spring Boot application.
 *
 * <p>{@link ElectionKubernetesAutoConfiguration} creates the store with the service account of the pod, or with the {@link KubeConfig} of a developer.
 */
@NullMarked
package dev.election.kubernetes.autoconfigure;

import org.jspecify.annotations.NullMarked;
