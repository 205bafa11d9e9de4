/** The sample over a PostgreSQL that comes along. An application of your own needs none of it. */
@NullMarked
package com.example.sample.jdbc;

import org.jspecify.annotations.NullMarked;
