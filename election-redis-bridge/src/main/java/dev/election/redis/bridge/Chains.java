package dev.election.redis.bridge;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The campaigns and renewals under way, each a chain of several requests. After a candidacy was released none of its chains sends anything
 * more: a release must not be overtaken by what it ends.
 */
final class Chains {

    private final Set<Chain> underWay = new HashSet<>();

    /**
     * Begins a chain of that candidacy.
     *
     * @param requests sends its requests by the chain that it is given
     */
    <T> CompletionStage<T> run(String candidacy, Function<Chain, CompletionStage<T>> requests) {
        Chain chain = new Chain(candidacy);
        synchronized (underWay) {
            underWay.add(chain);
        }
        return CompletableFuture.completedFuture(chain).thenCompose(requests).whenComplete((reply, failure) -> {
            synchronized (underWay) {
                underWay.remove(chain);
            }
            chain.over.complete(null);
        });
    }

    /**
     * Sends the release of that candidacy, and lets no chain of it send anything from then on. Its reply counts when those chains are over,
     * since a request of theirs may have been carried out after it.
     */
    <T> CompletionStage<T> end(String candidacy, Supplier<CompletionStage<T>> release) {
        synchronized (underWay) {
            CompletableFuture<?>[] ended = underWay.stream()
                    .filter(chain -> chain.candidacy.equals(candidacy))
                    .map(Chain::end)
                    .toArray(CompletableFuture<?>[]::new);
            return release.get().thenCombine(CompletableFuture.allOf(ended), (reply, over) -> reply);
        }
    }

    /** One campaign or renewal. */
    final class Chain {

        private final String candidacy;
        private final CompletableFuture<Void> over = new CompletableFuture<>();
        private boolean ended;

        private Chain(String candidacy) {
            this.candidacy = candidacy;
        }

        /** Sends the next request, unless the candidacy has been released. */
        <T> CompletionStage<T> send(Supplier<CompletionStage<T>> request) {
            synchronized (underWay) {
                return ended
                        ? CompletableFuture.failedFuture(
                                new IllegalStateException("The candidacy was released in the meantime"))
                        : request.get();
            }
        }

        /** Whether the candidacy has been released. */
        boolean isEnded() {
            synchronized (underWay) {
                return ended;
            }
        }

        private CompletableFuture<Void> end() {
            ended = true;
            return over;
        }
    }
}
