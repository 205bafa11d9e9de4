/** A small application whose replicas agree on one of them to write the reports. */
@NullMarked
package com.example.sample;

import org.jspecify.annotations.NullMarked;
