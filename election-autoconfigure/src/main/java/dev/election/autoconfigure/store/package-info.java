/**
 * The store of leases in an application: which one it is, why there is none, and the components that require it.
 *
 * <p>A module of a store names its {@link StoreDiagnosis} in {@code spring.factories}, and its auto-configurations apply by {@link
 * ConditionalOnStore}: where {@code election.store} names the store, or no other is on the class path.
 *
 * <p>Modules that need elections take them from {@link RequiredElections} when the first of their components is used, and modules that record
 * slots take the ledger store from {@link RequiredLedgerStore}. Both fail the start where something is missing, on the thread that creates the
 * beans: {@link MissingStore} asks the diagnoses for the problem and the action. Begin with {@link StoreDiagnosis}.
 */
@NullMarked
package dev.election.autoconfigure.store;

import org.jspecify.annotations.NullMarked;
