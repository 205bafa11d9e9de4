/**
 * Triggers: the slots that they name, and the texts about them in the ledger and in the log. Nothing here knows a leadership.
 *
 * <p>{@link Schedule} computes the slots of a trigger, whatever has become of it, and makes triggers for a part of them. {@link Missed} and
 * {@link TriggerSlots} count slots for a line of the log; {@link MisfireInstruction} says in words how Quartz treats them.
 *
 * <p>{@link Firing} is a firing as the ledger knows it: for which slot of which trigger, and why. {@link LedgerNames} are the names
 * of entries, {@link JobMark} is the text for a successor that runs a job again. {@link Scheduling} puts a trigger into a scheduler whose
 * job may be ending. All functions; begin reading with {@link Firing}.
 */
@NullMarked
package dev.election.quartz.internal.trigger;

import org.jspecify.annotations.NullMarked;
