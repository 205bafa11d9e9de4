/**
 * Building blocks of tests, fault runs and benchmarks: servers, processes, links and ports. Nothing in it knows elections.
 *
 * <p>Begin with {@link RedisProcess} and {@link PostgresServer}, which run a server in a process and a folder of its own; {@link
 * SentinelGroup} and {@link RedisCluster} run several. {@link KubernetesServer} runs a kube-apiserver, and {@link StrictApiServer} is one in
 * this JVM that fails on demand; both are an {@link ApiServer}. {@link JvmProcess} runs a main class, from a {@link ClassArchive} if it shall start
 * fast. {@link Children} ends all of them with this JVM, in whatever way it ends.
 *
 * <p>A {@link Link} is a port that passes bytes to a server, under {@link Conditions} that a test changes at any time: cut, slow, lossy.
 * Each connection has threads of its own ({@link Passage}).
 *
 * <p>{@link Stalls} and {@link Intervals} tell when the machine itself stood still.
 */
@NullMarked
package dev.election.harness;

import org.jspecify.annotations.NullMarked;
