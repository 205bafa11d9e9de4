/** What tests of more than one room need: real Redis servers and signals. */
package dev.election.testing;
