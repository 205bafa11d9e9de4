/** What tests of an application need beside real Redis servers. */
package dev.election.testing;
