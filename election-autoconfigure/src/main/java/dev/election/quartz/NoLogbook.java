package dev.election.quartz;

import dev.election.FencingToken;
import dev.election.store.Logbook;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Where there is nothing to write in: what other nodes have fired is never known. */
final class NoLogbook implements Logbook {

    @Override
    public CompletionStage<OpenReply> open(String election, FencingToken token) {
        return CompletableFuture.completedFuture(new Opened(Map.of(), false));
    }

    @Override
    public CompletionStage<WriteReply> write(
            String election, FencingToken token, Map<String, String> put, Set<String> removed) {
        return CompletableFuture.completedFuture(new Written());
    }
}
