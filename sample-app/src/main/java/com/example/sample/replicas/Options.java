package com.example.sample.replicas;

import java.util.Arrays;
import java.util.List;

/**
 * The command line of the launcher.
 *
 * @param replicas how many to start
 * @param arguments those of each replica
 */
record Options(int replicas, List<String> arguments) {

    private static final String REPLICAS = "--replicas=";
    private static final String REDIS = "--spring.data.redis.";
    private static final String DATABASE = "--spring.datasource.";

    static Options of(String... arguments) {
        int replicas = Arrays.stream(arguments)
                .filter(argument -> argument.startsWith(REPLICAS))
                .map(argument -> Integer.parseInt(argument.substring(REPLICAS.length())))
                .findFirst()
                .orElse(3);
        List<String> others = Arrays.stream(arguments)
                .filter(argument -> !argument.startsWith(REPLICAS))
                .toList();
        return new Options(replicas, others);
    }

    boolean nameStore() {
        return arguments.stream().anyMatch(argument -> argument.startsWith(REDIS) || argument.startsWith(DATABASE));
    }
}
