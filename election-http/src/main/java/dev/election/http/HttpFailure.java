package dev.election.http;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import dev.election.support.OneLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLException;

/** A request that a server did not carry out, or whose outcome is unknown, with the answer to whoever has asked. */
public final class HttpFailure extends IOException {

    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 300;

    private final transient NoAnswer answer;

    /** Creates the failure with its answer. */
    public HttpFailure(NoAnswer answer) {
        super(answer.detail());
        this.answer = answer;
    }

    /** Returns a text of a server as one line that is not too long. */
    public static String shown(String text) {
        return OneLine.shown(text, LONGEST);
    }

    /**
     * Returns the answer to a request that has failed.
     *
     * @param server the server as messages name it, such as "the API server"
     */
    public static NoAnswer answer(Throwable failure, String server) {
        Throwable wrapped = failure instanceof UncheckedIOException ? failure.getCause() : null;
        if (wrapped != null) {
            return answer(wrapped, server);
        }
        if (failure instanceof HttpFailure known) {
            return known.answer;
        }
        String message = shown(String.valueOf(failure.getMessage()));
        if (failure instanceof SocketTimeoutException) {
            return new NoAnswer(
                    StoreProblem.TIMED_OUT,
                    message,
                    server + " does not answer in time: check its load and the network");
        }
        // One that an end of the connection has caused says nothing about certificates.
        if (failure instanceof SSLException && !(failure.getCause() instanceof IOException)) {
            return new NoAnswer(
                    StoreProblem.UNREACHABLE,
                    message,
                    "the certificate of " + server
                            + " is not trusted, or names another host: check the address and the CA");
        }
        return failure instanceof IOException
                ? new NoAnswer(
                        StoreProblem.UNREACHABLE,
                        failure.getClass().getSimpleName() + ": " + message,
                        server + " can't be reached: check its address and the network policy")
                : new NoAnswer(StoreProblem.UNKNOWN, failure.toString());
    }
}
