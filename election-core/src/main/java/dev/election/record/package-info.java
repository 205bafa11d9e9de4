/**
 * The SPI of leases over any store of texts, with the rules by which leases are granted.
 *
 * <p>The author of a store implements {@link RecordStore}: read a text, and replace it if it has not changed. {@link RecordLeaseStore} makes a
 * {@link dev.election.store.LeaseStore} of it. Begin to read with these two and {@link LeaseRules}.
 *
 * <p>A request takes this way:
 *
 * <ol>
 *   <li>{@code RecordedElection} reads the text of the election by {@code SharedText}; {@code RecordText} parses it to an {@link ElectionRecord}.
 *   <li>{@code ObservedStore} compares the {@link Continuity} that came with the answer with what this process has seen of the store. In a
 *       store without a clock {@code ObservedClock} computes the ends.
 *   <li>{@link LeaseRules} decide: a pure function of record, request and time to a {@link Decision}. Each {@link Guard} names a condition that
 *       they must not lack.
 *   <li>The changed text is written, or, if another node was faster, all is decided again. The events of the decision are a part of the text;
 *       {@code RecordNews} passes them on to listeners.
 * </ol>
 *
 * <p>{@link RecordLedgerStore} and {@code RecordMembers} keep ledgers and members in the same store. {@link PolledKeys} watches keys of a store
 * without notifications.
 *
 * <p>Nothing here has a thread, except {@link PolledKeys}: a request goes on on the thread on which the store answers.
 */
@NullMarked
package dev.election.record;

import org.jspecify.annotations.NullMarked;
