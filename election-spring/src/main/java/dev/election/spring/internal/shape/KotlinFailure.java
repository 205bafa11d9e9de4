package dev.election.spring.internal.shape;

import kotlin.ResultKt;

/** Rethrows what Kotlin code throws, which may be any Throwable, since Kotlin has no checked exceptions. */
public final class KotlinFailure {

    private KotlinFailure() {}

    /** Throws the failure unchanged. The return type is there for the compiler only. */
    public static RuntimeException thrown(Throwable failure) {
        ResultKt.throwOnFailure(ResultKt.createFailure(failure));
        throw new IllegalStateException(failure);
    }
}
