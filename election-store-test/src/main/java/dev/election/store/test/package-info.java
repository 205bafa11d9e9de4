/**
 * The contracts of stores as tests to be extended, and stores in memory.
 *
 * <p>The author of a store over texts extends {@link RecordStoreContract}. The author of any other store extends {@link LeaseStoreContract} and
 * implements a contract for each capability: {@link SuccessionContract}, {@link HistoryContract}, {@link EvictionContract},
 * {@link MessagingContract}, {@link MembersContract}, {@link MemberChangesContract} and {@link MemberMessagingContract}.
 * {@link LedgerStoreContract} is for ledgers. Begin to read with {@link LeaseStoreFixture}: a store's own test implements it, so that the
 * contracts can make the store, let it forget and let its time pass.
 *
 * <p>Contracts run on the thread of the test and wait for each reply. Each test has an election or key of its own, so tests can share a server.
 *
 * <p>{@link InMemoryLeaseStore} and {@link InMemoryRecordStore} pass these contracts, and answer on the thread of the caller.
 * {@link InMemoryMessaging} passes messages between members.
 */
@NullMarked
package dev.election.store.test;

import org.jspecify.annotations.NullMarked;
