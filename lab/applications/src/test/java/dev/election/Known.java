package dev.election;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Table of what packages may know besides themselves, the JDK, JSpecify and {@code dev.election.support}. The first line that fits a package
 * counts. The packages of a line may know each other, unless it says otherwise: the rule about cycles gives them an order, and that about
 * internals keeps them to their module.
 *
 * @param packages of the line, as a pattern
 * @param others what they may know, as patterns; those that must not be known begin with an exclamation mark
 */
record Known(String packages, List<String> others) {

    /**
     * After the packages come those of ours, all without {@code dev.election.}; {@code api} is that package alone. Below stand the
     * libraries.
     */
    private static final List<Known> TABLE = parse(
            """
            api: members partitions store engine internal..
            support:
            members:
            partitions: api
            store: api members
            record: api members store
                org.slf4j
            engine: api
                org.slf4j
            internal.protocol: api store
            internal.succession..: api members
            internal.[assembly|members|messages|partitions|steering]..: api members partitions store engine internal..
                org.slf4j..
            internal..: api store engine
                org.slf4j..

            jobs: api store
                org.slf4j
            jobs..: api jobs store
                org.slf4j

            spring:
                org.springframework.context org.springframework.context.support
            spring.coroutines: api
                kotlin.. kotlinx.coroutines
            spring.reactor: api
                reactor.util.context
            spring.internal.context..: api
                io.micrometer.context
            spring.[calls|internal.delay|internal.interruption]..: api
                org.slf4j
            spring.annotation..: api
                org.springframework.aop.support org.springframework.beans.. org.springframework.core.. org.springframework.util..
            spring.internal.shape..: api spring.calls spring.coroutines spring.internal.interruption
                kotlin.. kotlinx.coroutines.. org.reactivestreams reactor.core.. reactor.util.context
                org.springframework.core.. org.springframework.util..
            spring.guard..: api spring.annotation spring.calls spring.coroutines spring.lifecycle spring.internal.[delay|interruption|shape]
                kotlin.. kotlinx.coroutines.. org.aopalliance.. org.slf4j reactor.core.. reactor.util.context
                org.springframework.aop.. org.springframework.beans.. org.springframework.context.. org.springframework.core..
                org.springframework.format.datetime.standard org.springframework.util..
            spring.[scheduling|internal.slot]..: api partitions jobs.. spring.annotation spring.calls spring.internal.shape
                org.reactivestreams org.slf4j reactor.core..
                org.springframework.aop.support org.springframework.beans.factory org.springframework.core..
                org.springframework.scheduling.. org.springframework.util..
            spring.[bound|lifecycle]..: api spring spring.annotation spring.guard spring.internal.delay
                org.slf4j
                org.springframework.beans.. org.springframework.context.. org.springframework.core..
            spring.members..: api members spring.annotation
                org.springframework.aop.. org.springframework.aot.. org.springframework.beans..
                org.springframework.context.annotation org.springframework.core.. org.springframework.util..

            redis: api members store redis.client redis.internal..
                io.lettuce..
            redis.client:
                io.lettuce..
            redis.script: store redis.client redis.internal..
            redis.internal..: api store redis.client
                io.lettuce.. io.netty.. org.slf4j reactor.core..
            redis.bridge: api store redis.client redis.script
                org.slf4j
            jdbc: store record jdbc.internal..
                javax.sql
            jdbc.internal..: api store record jdbc
                javax.sql org.postgresql.. org.slf4j

            http: api store record
                javax.net.ssl org.apache.hc.core5.. tools.jackson.core..
            kubernetes: store record kubernetes.internal..
                javax.net.ssl
            kubernetes.internal..: api store record http kubernetes
                javax.net.ssl org.slf4j
            etcd: store record etcd.internal..
                javax.net.ssl
            etcd.internal..: api store record http etcd
            zookeeper: store record zookeeper.internal..
                org.apache.zookeeper..
            zookeeper.internal..: api store record zookeeper
                org.apache.zookeeper..

            quartz:
            quartz.internal..: api jobs.. quartz
                org.quartz.. org.slf4j
                org.springframework.beans.. org.springframework.core.. org.springframework.util..

            fencing: api fencing.internal.[table|transaction]
                javax.sql
            fencing.internal.bytecode..:
                org.springframework.asm
            fencing.internal.bean..: api fencing fencing.internal.. spring.annotation
                org.aopalliance.. org.slf4j
                org.springframework.aop.. org.springframework.asm org.springframework.beans..
                org.springframework.context.annotation org.springframework.core.. org.springframework.transaction..
                org.springframework.util..
            fencing.internal..: api fencing
                javax.sql org.slf4j
                org.springframework.core.. org.springframework.dao org.springframework.jdbc.. org.springframework.transaction..
                org.springframework.util..
            fencing.redis: api fencing
                org.springframework.data.redis.core..
            fencing.http: api spring.annotation spring.reactor fencing
                jakarta.servlet.http org.slf4j reactor.core.publisher reactor.util.context
                org.springframework.aop.framework.autoproxy org.springframework.beans.factory.config org.springframework.core..
                org.springframework.http.. org.springframework.util.. org.springframework.web..

            routing: api routing.internal.forward
                org.springframework.http.client org.springframework.web.client
            routing.internal.servlet..: api routing.internal.[decision|forward|leader]
                jakarta.servlet.. org.reactivestreams org.slf4j reactor.core..
                org.springframework.core org.springframework.core.io.buffer org.springframework.http.. org.springframework.util..
                org.springframework.web.. !org.springframework.web.reactive.. !org.springframework.web.server..
            routing.internal.reactive..: api routing.internal.[decision|forward|leader]
                org.reactivestreams reactor.core.. reactor.util.context
                org.springframework.core org.springframework.core.io.buffer org.springframework.http.. org.springframework.util..
                org.springframework.web.method org.springframework.web.reactive.. org.springframework.web.server
            routing.internal..: api members routing !routing.internal.servlet.. !routing.internal.reactive..
                io.netty.channel io.netty.handler.codec.http io.netty.handler.ssl io.netty.handler.timeout io.netty.util
                org.reactivestreams org.slf4j reactor.core.. reactor.netty..
                org.springframework.core.. org.springframework.http.. org.springframework.util..
                org.springframework.web org.springframework.web.method org.springframework.web.util.pattern

            autoconfigure..watch..: api members partitions spring.calls spring.lifecycle
                org.slf4j
            autoconfigure..actuate..: api members partitions jobs jobs.requests spring.lifecycle autoconfigure..checks.. autoconfigure..watch..
                com.fasterxml.jackson.annotation
                org.springframework.aot.hint org.springframework.boot.actuate.. org.springframework.boot.convert
                org.springframework.boot.health.contributor
            autoconfigure..console..:
                org.springframework.aot.hint org.springframework.boot.actuate.endpoint.. org.springframework.core.io
                org.springframework.util
            autoconfigure..metrics..: api members partitions jobs store spring.calls spring.scheduling autoconfigure..watch..
                io.micrometer.core.instrument
            autoconfigure..observation..: api spring.calls spring.guard
                io.micrometer.common io.micrometer.observation
                org.springframework.scheduling.support
            autoconfigure..checks..: members partitions
                org.slf4j
                org.springframework.beans.factory org.springframework.boot org.springframework.boot.context.event
                org.springframework.boot.context.properties org.springframework.boot.context.properties.source
                org.springframework.context org.springframework.context.event org.springframework.core.annotation
                org.springframework.core.env org.springframework.util
            autoconfigure..: .. !redis.. !jdbc.. !http.. !kubernetes.. !etcd.. !zookeeper.. !quartz.. !fencing.. !routing..
                .. liquibase !io.lettuce.. !org.quartz.. !org.springframework.data..
            [redis|redis.bridge|jdbc|kubernetes|etcd|zookeeper|quartz|fencing|routing].autoconfigure..: ..
                ..

            test..: api engine jobs members partitions record store store.test spring.members autoconfigure
                org.springframework.beans.factory.. org.springframework.boot.autoconfigure org.springframework.context..
                org.springframework.core.. org.springframework.test.context..
            store.test..: api members record store
                org.assertj.core.. org.junit.jupiter.api
            harness..: ..
                ..
            """);

    /** Line of a package. One that no line fits may know nothing but the JDK. */
    static Known of(String packageName) {
        return TABLE.stream()
                .filter(line -> fits(line.packages, packageName))
                .findFirst()
                .orElseGet(() -> new Known(packageName, List.of(packageName)));
    }

    boolean mayKnow(JavaClass type) {
        String name = type.getPackageName();
        return type.isPrimitive()
                || Stream.of("java..", "org.jspecify..", "dev.election.support")
                        .anyMatch(pattern -> fits(pattern, name))
                || (others.stream().anyMatch(pattern -> !isForbidden(pattern) && fits(pattern, name))
                        && others.stream()
                                .noneMatch(pattern -> isForbidden(pattern) && fits(pattern.substring(1), name)));
    }

    private static List<Known> parse(String table) {
        List<Known> lines = new ArrayList<>();
        for (String line : table.lines().filter(each -> !each.isBlank()).toList()) {
            if (line.startsWith(" ")) {
                lines.get(lines.size() - 1).others.addAll(words(line));
            } else {
                int colon = line.indexOf(':');
                List<String> ours = new ArrayList<>(words(line.substring(colon + 1)).stream()
                        .map(Known::ours)
                        .toList());
                String packages = ours(line.substring(0, colon));
                ours.add(packages);
                lines.add(new Known(packages, ours));
            }
        }
        return List.copyOf(lines);
    }

    private static List<String> words(String line) {
        return line.isBlank() ? List.of() : List.of(line.strip().split(" +"));
    }

    private static String ours(String word) {
        return switch (word) {
            case "api" -> "dev.election";
            case ".." -> "dev.election..";
            default -> isForbidden(word) ? "!" + ours(word.substring(1)) : "dev.election." + word;
        };
    }

    private static boolean isForbidden(String pattern) {
        return pattern.startsWith("!");
    }

    private static boolean fits(String pattern, String name) {
        return PackageMatcher.of(pattern).matches(name);
    }
}
