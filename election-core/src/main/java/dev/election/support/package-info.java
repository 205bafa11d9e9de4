/** How log lines and answers for people are written, random ids, and daemon threads. */
@NullMarked
package dev.election.support;

import org.jspecify.annotations.NullMarked;
