/** Replicas of the sample as real processes, for tests that pause, kill and watch them. */
package com.example.sample.testing;
