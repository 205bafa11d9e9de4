package dev.election.aop;

import kotlin.ResultKt;

/** What Kotlin code throws, which may be anything, since it declares no exceptions. */
final class KotlinFailure {

    private KotlinFailure() {}

    /** Throws that, unchanged; returns only for the compiler. */
    static RuntimeException thrown(Throwable failure) {
        ResultKt.throwOnFailure(ResultKt.createFailure(failure));
        throw new IllegalStateException(failure);
    }
}
