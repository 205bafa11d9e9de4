package dev.election.quartz.internal.trigger;

import java.util.List;
import org.quartz.CronTrigger;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;

/** Describes the misfire instruction of a trigger in words. */
public final class MisfireInstruction {

    private static final List<String> OF_SIMPLE_TRIGGERS = List.of(
            "FIRE_NOW",
            "RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT",
            "RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT",
            "RESCHEDULE_NEXT_WITH_REMAINING_COUNT",
            "RESCHEDULE_NEXT_WITH_EXISTING_COUNT");

    /** The instructions of triggers by cron expressions, calendar intervals and daily intervals. */
    private static final List<String> OF_OTHERS = List.of("FIRE_ONCE_NOW", "DO_NOTHING");

    private MisfireInstruction() {}

    /** The name of the instruction, as the constants of Quartz say it. */
    public static String name(Trigger trigger) {
        int instruction = trigger.getMisfireInstruction();
        if (instruction == Trigger.MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY) {
            return "IGNORE_MISFIRE_POLICY";
        }
        if (instruction == Trigger.MISFIRE_INSTRUCTION_SMART_POLICY) {
            return "SMART_POLICY (" + name(trigger, smart(trigger)) + ")";
        }
        return name(trigger, instruction);
    }

    private static String name(Trigger trigger, int instruction) {
        List<String> names = trigger instanceof SimpleTrigger ? OF_SIMPLE_TRIGGERS : OF_OTHERS;
        return instruction > 0 && instruction <= names.size()
                ? names.get(instruction - 1)
                : String.valueOf(instruction);
    }

    /** The instruction that Quartz uses if the trigger has none. */
    private static int smart(Trigger trigger) {
        if (!(trigger instanceof SimpleTrigger simple)) {
            return CronTrigger.MISFIRE_INSTRUCTION_FIRE_ONCE_NOW;
        }
        return switch (simple.getRepeatCount()) {
            case 0 -> SimpleTrigger.MISFIRE_INSTRUCTION_FIRE_NOW;
            case SimpleTrigger.REPEAT_INDEFINITELY ->
                SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_REMAINING_COUNT;
            default -> SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT;
        };
    }

    /**
     * Says what this instruction does to missed slots, of one trigger or of many.
     *
     * @param catchUp what fires them
     */
    public static String effect(Trigger catchUp) {
        if (catchUp.getMisfireInstruction() == Trigger.MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY) {
            return "each of them is fired";
        }
        if (catchUp instanceof SimpleTrigger simple && simple.getRepeatCount() == 0) {
            return "one firing for all slots of a trigger";
        }
        return "Quartz applies it if the first slot of a trigger was missed by more than org.quartz.jobStore.misfireThreshold, otherwise each of"
                + " them is fired";
    }
}
