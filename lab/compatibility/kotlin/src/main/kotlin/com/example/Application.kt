package com.example

import dev.election.FencingToken
import dev.election.LeaderOnly
import kotlinx.coroutines.delay
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.scheduling.annotation.EnableScheduling
import org.springframework.scheduling.annotation.Scheduled
import org.springframework.stereotype.Component

@SpringBootApplication
@EnableScheduling
class Application

@Component
class Jobs {

    @LeaderOnly
    @Scheduled(fixedDelay = 200)
    fun plain() {
        println("The function runs, with a fencing token: ${FencingToken.current().isPresent}")
    }

    @LeaderOnly
    @Scheduled(fixedDelay = 200)
    suspend fun suspending() {
        delay(50)
        println("The suspending function goes on, with a fencing token: ${FencingToken.current().isPresent}")
    }
}

fun main(arguments: Array<String>) {
    runApplication<Application>(*arguments)
}
