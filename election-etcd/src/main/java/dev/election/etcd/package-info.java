/**
 * Elections in etcd: {@link EtcdLeaseStore} keeps each election under a key. {@link EtcdAccess} says how the members are reached.
 */
@NullMarked
package dev.election.etcd;

import org.jspecify.annotations.NullMarked;
