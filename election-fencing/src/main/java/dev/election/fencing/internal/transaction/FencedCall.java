package dev.election.fencing.internal.transaction;

import java.lang.reflect.Method;

/**
 * A call of a fenced method.
 *
 * @param method for messages
 * @param fence what its transaction writes
 * @param held the token under which it does
 * @param transactions who has raised the resource; not the same for all calls of a transaction where a context has a parent
 */
record FencedCall(Method method, Fence fence, TokenSource.Held held, FencedTransactions transactions) {

    static String nameOf(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
