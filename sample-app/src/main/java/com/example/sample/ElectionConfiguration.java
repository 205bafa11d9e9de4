package com.example.sample;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeadershipListener;
import dev.election.engine.ElectionEngine;
import dev.election.engine.Timing;
import dev.election.redis.RedisAccess;
import dev.election.redis.RedisLeaseStore;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Wires the elections by hand. Spring closes the beans in the order in which they need each other: the engine before its store. */
@Configuration(proxyBeanMethods = false)
class ElectionConfiguration {

    private final Duration lease;

    ElectionConfiguration(@Value("${sample.lease:15s}") Duration lease) {
        this.lease = lease;
    }

    @Bean
    RedisLeaseStore leaseStore(LettuceConnectionFactory application) {
        return RedisLeaseStore.open(RedisAccess.like(application), "election", lease);
    }

    @Bean
    ElectionEngine elections(RedisLeaseStore store) {
        return ElectionEngine.over(store).timing(Timing.ofLease(lease)).build();
    }

    @Bean
    Election election(Elections elections, ObjectProvider<LeadershipListener> listeners) {
        Election election = elections.get(Election.DEFAULT);
        listeners.orderedStream().forEach(election::addListener);
        return election;
    }

    /** Not before: a replica that can't work yet must not keep one that can from leading. */
    @EventListener
    void start(ApplicationReadyEvent ready) {
        ready.getApplicationContext().getBean(Elections.class).start();
    }
}
