/** How log lines and answers for people are written, random ids, and daemon threads. */
@NullMarked
package dev.election.text;

import org.jspecify.annotations.NullMarked;
