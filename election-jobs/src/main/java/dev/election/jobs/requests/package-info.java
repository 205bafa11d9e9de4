/**
 * Runs by hand: the leader of an election is asked to run a job at once, by whatever node an operator has reached. Shared by the modules that
 * run jobs and by the wiring.
 *
 * <p>In: {@link dev.election.jobs.requests.JobRequests#request} on the node that was reached. The request goes to one leadership, by the messages
 * by which a leader is asked to abdicate, and is repeated until it is answered.
 *
 * <p>Out: on the leader, each request is passed once to the {@link dev.election.jobs.requests.JobRequests.Runner} that has the job.
 */
@NullMarked
package dev.election.jobs.requests;

import org.jspecify.annotations.NullMarked;
