/**
 * A small application whose replicas agree on one of them to write the reports.
 *
 * <p>Begin with {@link ReportJob}, a guarded method of Spring, and {@link DigestJob}, a Quartz job that only the leader runs. {@link
 * CleanupJob} may run on another replica, {@link ReminderJob} is shared out among all. {@link LeadershipNews} logs changes of the leader, {@link
 * Status} answers who leads.
 */
@NullMarked
package com.example.sample;

import org.jspecify.annotations.NullMarked;
