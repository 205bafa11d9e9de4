package dev.election.zookeeper.internal;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import dev.election.support.OneLine;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException;

/** A request that was not carried out, or whose outcome is unknown, with the answer to whoever has asked. */
final class ZooKeeperFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 300;

    private final transient NoAnswer answer;

    ZooKeeperFailure(NoAnswer answer) {
        super(answer.detail());
        this.answer = answer;
    }

    /** Returns the failure of a node that these elections have not written. */
    static ZooKeeperFailure foreign(String path) {
        return new ZooKeeperFailure(new NoAnswer(
                StoreProblem.WRONG_TYPE,
                "the node " + path + " is not as these elections have written it",
                "the node " + path
                        + " was made or changed by somebody else: delete it, or let the elections use another prefix"));
    }

    static NoAnswer unauthenticated() {
        return new NoAnswer(
                StoreProblem.UNAUTHENTICATED,
                "the ensemble refuses the authentication of this client",
                "the ensemble refuses the credentials: check user and password, and the JAAS login of this process if it has one");
    }

    /** Returns the cause of a failure that has come through stages. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** Returns the answer to a request that has failed. */
    static NoAnswer answer(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof ZooKeeperFailure known) {
            return known.answer;
        }
        return cause instanceof KeeperException known
                ? answer(known)
                : new NoAnswer(StoreProblem.UNKNOWN, OneLine.shown(cause.toString(), LONGEST));
    }

    private static NoAnswer answer(KeeperException failure) {
        String detail = OneLine.shown(String.valueOf(failure.getMessage()), LONGEST);
        return switch (failure.code()) {
            case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED ->
                new NoAnswer(
                        StoreProblem.UNREACHABLE,
                        detail,
                        "the server has ended the connection: check that a majority of the ensemble runs. Where it ends each time"
                                + " that a ledger is written, raise jute.maxbuffer of the servers");
            case AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH -> unauthenticated();
            case NOAUTH ->
                new NoAnswer(
                        StoreProblem.FORBIDDEN,
                        detail,
                        "the ACL of the node " + failure.getPath()
                                + ", or of the one above it, keeps this client out: give its"
                                + " user all permissions (cdrwa), or let an administrator create the path with them");
            case NOTREADONLY -> new NoAnswer(StoreProblem.READ_ONLY, detail);
            case QUOTAEXCEEDED ->
                new NoAnswer(
                        StoreProblem.CANNOT_PERSIST,
                        detail,
                        "the quota of the path is reached: raise it (setquota), or let the elections use another path");
            case UNIMPLEMENTED ->
                new NoAnswer(
                        StoreProblem.UNKNOWN,
                        detail,
                        "the servers are too old: the elections need ZooKeeper 3.6 or newer");
            default -> new NoAnswer(StoreProblem.UNKNOWN, detail);
        };
    }
}
