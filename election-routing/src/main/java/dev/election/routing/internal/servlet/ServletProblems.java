package dev.election.routing.internal.servlet;

import dev.election.routing.internal.decision.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes responses of the router itself. */
final class ServletProblems {

    private ServletProblems() {}

    static void write(Problem problem, HttpServletResponse response) throws IOException {
        response.setStatus(problem.status().value());
        problem.headers().forEach((name, values) -> response.setHeader(name, values.get(0)));
        response.getOutputStream().write(problem.body());
    }
}
