package com.example;

import dev.election.harness.StrictApiServer;
import java.nio.file.Files;
import java.nio.file.Path;

/** An API server for the replicas. It writes the kubeconfig that its argument names. */
public class ApiServer {

    public static void main(String[] arguments) throws Exception {
        StrictApiServer server = new StrictApiServer();
        Files.writeString(
                Path.of(arguments[0]),
                """
                current-context: check
                contexts: [{name: check, context: {cluster: loopback, user: admin}}]
                clusters: [{name: loopback, cluster: {server: '%s', certificate-authority: '%s'}}]
                users: [{name: admin, user: {token: %s}}]
                """
                        .formatted(server.address(), server.certificate(), StrictApiServer.ADMIN));
        System.out.println("Ready to accept connections");
        Thread.currentThread().join();
    }
}
