/** The lease store over Redis: Lua scripts, keys and two connections of its own. */
@NullMarked
package dev.election.redis;

import org.jspecify.annotations.NullMarked;
