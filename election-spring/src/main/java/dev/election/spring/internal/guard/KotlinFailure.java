package dev.election.spring.internal.guard;

import kotlin.ResultKt;

/** Rethrows what Kotlin code throws, which may be any Throwable, since Kotlin has no checked exceptions. */
final class KotlinFailure {

    private KotlinFailure() {}

    /** Throws the failure unchanged. The return type is there for the compiler only. */
    static RuntimeException thrown(Throwable failure) {
        ResultKt.throwOnFailure(ResultKt.createFailure(failure));
        throw new IllegalStateException(failure);
    }
}
