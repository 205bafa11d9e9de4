/** How log lines and answers for people are written. */
@NullMarked
package dev.election.text;

import org.jspecify.annotations.NullMarked;
