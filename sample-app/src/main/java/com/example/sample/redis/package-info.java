/** A Redis for a machine that has none, so that the sample starts from a clean clone. An application of your own needs none of it. */
@NullMarked
package com.example.sample.redis;

import org.jspecify.annotations.NullMarked;
