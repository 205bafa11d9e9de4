/** Starts several replicas of the sample on one machine by one command. An application of your own needs none of it. */
@NullMarked
package com.example.sample.replicas;

import org.jspecify.annotations.NullMarked;
