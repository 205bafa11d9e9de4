/** How log lines and answers for people are written, and random ids. */
@NullMarked
package dev.election.text;

import org.jspecify.annotations.NullMarked;
