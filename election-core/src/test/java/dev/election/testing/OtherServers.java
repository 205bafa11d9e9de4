package dev.election.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Needs servers besides one Redis 7: Sentinels, a Cluster, another version or product, PostgreSQL, Kubernetes, etcd, ZooKeeper. Runs with {@code mvn verify -Pall} only. */
@Tag("other-servers")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface OtherServers {}
