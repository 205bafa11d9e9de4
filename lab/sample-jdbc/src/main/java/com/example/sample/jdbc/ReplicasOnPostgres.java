package com.example.sample.jdbc;

import com.example.sample.replicas.Replicas;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts three replicas of the sample on this machine, with a PostgreSQL of their own. All arguments are those of {@link Replicas}. */
public final class ReplicasOnPostgres {

    private ReplicasOnPostgres() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int port = PostgresServer.startFrom(5432);
        System.out.println("PostgreSQL listens at port " + port);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--spring.datasource.url=jdbc:postgresql://localhost:" + port + "/postgres");
        all.add("--spring.datasource.username=postgres");
        all.add("--election.jdbc.initialize-schema=always");
        Replicas.main(all.toArray(String[]::new));
    }
}
