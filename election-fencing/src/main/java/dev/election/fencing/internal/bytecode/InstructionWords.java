package dev.election.fencing.internal.bytecode;

import org.springframework.asm.Opcodes;

/** How many words of the operand stack an instruction without operands takes and gives, as the Java Virtual Machine Specification says. */
final class InstructionWords {

    private InstructionWords() {}

    static int taken(int opcode) {
        if (opcode <= Opcodes.DCONST_1) {
            return 0;
        }
        if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
            return 2;
        }
        if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
            return opcode == Opcodes.LASTORE || opcode == Opcodes.DASTORE ? 4 : 3;
        }
        if (opcode >= Opcodes.IADD && opcode <= Opcodes.DREM) {
            return isWide(opcode - Opcodes.IADD) ? 4 : 2;
        }
        if (opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG) {
            return isWide(opcode - Opcodes.INEG) ? 2 : 1;
        }
        return switch (opcode) {
            case Opcodes.POP,
                    Opcodes.I2L,
                    Opcodes.I2F,
                    Opcodes.I2D,
                    Opcodes.F2I,
                    Opcodes.F2L,
                    Opcodes.F2D,
                    Opcodes.I2B,
                    Opcodes.I2C,
                    Opcodes.I2S,
                    Opcodes.ARRAYLENGTH,
                    Opcodes.MONITORENTER,
                    Opcodes.MONITOREXIT -> 1;
            case Opcodes.LSHL, Opcodes.LSHR, Opcodes.LUSHR, Opcodes.DUP_X2, Opcodes.DUP2_X1 -> 3;
            case Opcodes.LAND, Opcodes.LOR, Opcodes.LXOR, Opcodes.LCMP, Opcodes.DCMPL, Opcodes.DCMPG, Opcodes.DUP2_X2 ->
                4;
            default -> 2;
        };
    }

    static int given(int opcode) {
        if (opcode == Opcodes.NOP) {
            return 0;
        }
        if (opcode <= Opcodes.DCONST_1) {
            boolean isWide = opcode == Opcodes.LCONST_0
                    || opcode == Opcodes.LCONST_1
                    || opcode == Opcodes.DCONST_0
                    || opcode == Opcodes.DCONST_1;
            return isWide ? 2 : 1;
        }
        if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.POP2) {
            return 0;
        }
        if (opcode >= Opcodes.IADD && opcode <= Opcodes.DNEG) {
            return isWide(opcode - Opcodes.IADD) ? 2 : 1;
        }
        return switch (opcode) {
            case Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> 0;
            case Opcodes.LALOAD,
                    Opcodes.DALOAD,
                    Opcodes.LSHL,
                    Opcodes.LSHR,
                    Opcodes.LUSHR,
                    Opcodes.LAND,
                    Opcodes.LOR,
                    Opcodes.LXOR,
                    Opcodes.I2L,
                    Opcodes.I2D,
                    Opcodes.L2D,
                    Opcodes.F2L,
                    Opcodes.F2D,
                    Opcodes.D2L,
                    Opcodes.SWAP -> 2;
            case Opcodes.DUP_X1 -> 3;
            case Opcodes.DUP_X2, Opcodes.DUP2 -> 4;
            case Opcodes.DUP2_X1 -> 5;
            case Opcodes.DUP2_X2 -> 6;
            default -> 1;
        };
    }

    /** The instructions of arithmetic come in fours: of int, long, float and double. */
    private static boolean isWide(int place) {
        return place % 2 == 1;
    }
}
