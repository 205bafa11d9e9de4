/** Leader work in Kotlin coroutines. Only applications that have kotlinx-coroutines use it. */
@NullMarked
package dev.election.spring.coroutines;

import org.jspecify.annotations.NullMarked;
