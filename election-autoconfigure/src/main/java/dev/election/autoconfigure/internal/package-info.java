/**
 * Parts of the wiring that modules of this library share.
 *
 * <p>A module of a store names its {@link StoreDiagnosis} in {@code spring.factories}, and its auto-configurations apply by {@link
 * ConditionalOnStore}. Modules that need elections or a ledger take them from {@link RequiredElections} and {@link RequiredLedgerStore},
 * which fail the start with the missing part: {@link MissingStore} and {@link MissingModules} find out which that is.
 *
 * <p>The rest follows the life of the context, on the thread that starts or stops it: {@link JobsLifecycle} begins and ends the records of
 * jobs, {@link MemberUse} creates the members if the application uses them, {@link HealthReport} begins to ask health contributors once the
 * application is ready. {@link BootReadiness} recognises that moment.
 */
@NullMarked
package dev.election.autoconfigure.internal;

import org.jspecify.annotations.NullMarked;
