/**
 * The record store over etcd. {@link EtcdRecordStore} turns each request into one of {@link EtcdGateway}, on two connections that are kept;
 * {@link EtcdEvents} listens on a third one.
 */
@NullMarked
package dev.election.etcd.internal;

import org.jspecify.annotations.NullMarked;
