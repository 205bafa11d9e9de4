/**
 * The SPI of a store: atomic requests, their replies and events, and optional capabilities.
 *
 * <p>A process sends a {@link StoreRequest} to a {@link LeaseStore}: a {@link CampaignRequest}, a {@link RenewRequest} or a
 * {@link ReleaseRequest} for each election, and a {@link BeatRequest} for itself. The store returns a reply of a sealed type, in which
 * {@link NoAnswer} stands for every failure: the request may then have been carried out or not. {@link StoreTraits} describe the store.
 * Begin to read with {@link LeaseStore} and {@link CampaignReply}.
 *
 * <p>A store passes events ({@link StoreEvent}) on to its listeners, so that nodes need not wait. They may be lost, and no decision relies on
 * them. {@link EventText} writes them as text.
 *
 * <p>Capabilities that a store may lack: {@link Eviction}, {@link NodeMessaging}, {@link LedgerStore}, {@link MemberStore} and
 * {@link MemberMessaging}.
 *
 * <p>Requests come from the thread of the elections or of a caller, which a store must not block. Replies and events may come on any thread.
 *
 * <p>A store that can only replace a text as a whole implements {@link dev.election.record.RecordStore} instead. The contracts for both are in
 * {@code dev.election.store.test}.
 */
@NullMarked
package dev.election.store;

import org.jspecify.annotations.NullMarked;
