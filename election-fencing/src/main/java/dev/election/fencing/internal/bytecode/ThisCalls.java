package dev.election.fencing.internal.bytecode;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Reads from the bytecode of one method which methods it calls on {@code this}, also by lambdas and method references. It follows which words
 * of the operand stack are {@code this}, so that a call on another object of the same class, such as an injected proxy, does not count.
 */
public final class ThisCalls extends MethodVisitor {

    private final Consumer<String> called;

    /** The state of the stack at the target of a jump. */
    private final Map<Label, Stack> atTarget = new HashMap<>();

    private Stack stack = new Stack(0, new BitSet());

    /** Whether the next instruction is reached only by a jump. */
    private boolean jumped;

    /**
     * Creates a reader for one method that is not static.
     *
     * @param called is given the signature, name and descriptor, of each method that is called on {@code this}
     */
    public ThisCalls(Consumer<String> called) {
        super(SpringAsmInfo.ASM_VERSION);
        this.called = called;
    }

    public static String signature(String name, String descriptor) {
        return name + descriptor;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
        atTarget.put(handler, new Stack(1, new BitSet()));
    }

    @Override
    public void visitLabel(Label label) {
        Stack known = atTarget.get(label);
        if (jumped && known != null) {
            stack = known.copy();
            jumped = false;
        }
    }

    @Override
    public void visitInsn(int opcode) {
        switch (opcode) {
            case Opcodes.DUP -> stack.push(1, stack.isThis(1));
            case Opcodes.IRETURN,
                    Opcodes.LRETURN,
                    Opcodes.FRETURN,
                    Opcodes.DRETURN,
                    Opcodes.ARETURN,
                    Opcodes.RETURN,
                    Opcodes.ATHROW -> jumped = true;
            default -> stack.change(InstructionWords.taken(opcode), InstructionWords.given(opcode));
        }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        stack.change(opcode == Opcodes.NEWARRAY ? 1 : 0, 1);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        switch (opcode) {
            case Opcodes.ALOAD -> stack.push(1, variable == 0);
            case Opcodes.ILOAD, Opcodes.FLOAD -> stack.push(1, false);
            case Opcodes.LLOAD, Opcodes.DLOAD -> stack.push(2, false);
            case Opcodes.LSTORE, Opcodes.DSTORE -> stack.change(2, 0);
            default -> stack.change(1, 0);
        }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode != Opcodes.CHECKCAST) {
            stack.change(opcode == Opcodes.NEW ? 0 : 1, 1);
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        int words = Type.getType(descriptor).getSize();
        switch (opcode) {
            case Opcodes.GETSTATIC -> stack.change(0, words);
            case Opcodes.PUTSTATIC -> stack.change(words, 0);
            case Opcodes.GETFIELD -> stack.change(1, words);
            default -> stack.change(1 + words, 0);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        int arguments = argumentWords(descriptor);
        boolean isStatic = opcode == Opcodes.INVOKESTATIC;
        if (!isStatic && stack.isThis(arguments + 1)) {
            called.accept(signature(name, descriptor));
        }
        stack.change(
                arguments + (isStatic ? 0 : 1), Type.getReturnType(descriptor).getSize());
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... constants) {
        int captured = argumentWords(descriptor);
        if (captured > 0 && stack.isThis(captured)) {
            for (Object constant : constants) {
                if (constant instanceof Handle handle && handle.getTag() != Opcodes.H_INVOKESTATIC) {
                    called.accept(signature(handle.getName(), handle.getDesc()));
                }
            }
        }
        stack.change(captured, Type.getReturnType(descriptor).getSize());
    }

    @Override
    public void visitJumpInsn(int opcode, Label target) {
        stack.change(
                switch (opcode) {
                    case Opcodes.GOTO -> 0;
                    case Opcodes.IF_ICMPEQ,
                            Opcodes.IF_ICMPNE,
                            Opcodes.IF_ICMPLT,
                            Opcodes.IF_ICMPGE,
                            Opcodes.IF_ICMPGT,
                            Opcodes.IF_ICMPLE,
                            Opcodes.IF_ACMPEQ,
                            Opcodes.IF_ACMPNE -> 2;
                    default -> 1;
                },
                0);
        jumpTo(target);
        jumped = opcode == Opcodes.GOTO;
    }

    @Override
    public void visitLdcInsn(Object constant) {
        stack.push(constant instanceof Long || constant instanceof Double ? 2 : 1, false);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        visitLookupSwitchInsn(otherwise, new int[0], labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        stack.change(1, 0);
        jumpTo(otherwise);
        for (Label label : labels) {
            jumpTo(label);
        }
        jumped = true;
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        stack.change(dimensions, 1);
    }

    private void jumpTo(Label target) {
        atTarget.putIfAbsent(target, stack.copy());
    }

    private static int argumentWords(String descriptor) {
        int words = 0;
        for (Type argument : Type.getArgumentTypes(descriptor)) {
            words += argument.getSize();
        }
        return words;
    }

    /** The operand stack: how many words it has, and which of them, from the bottom, are {@code this}. */
    private static final class Stack {

        private int words;
        private final BitSet thisAt;

        private Stack(int words, BitSet thisAt) {
            this.words = words;
            this.thisAt = thisAt;
        }

        private Stack copy() {
            return new Stack(words, (BitSet) thisAt.clone());
        }

        private void push(int size, boolean isThis) {
            thisAt.set(words, words + size, isThis);
            words += size;
        }

        private void change(int taken, int given) {
            words = Math.max(0, words - taken);
            push(given, false);
        }

        /** Whether the word of that rank from the top, which has rank 1, is {@code this}. */
        private boolean isThis(int rank) {
            return rank <= words && thisAt.get(words - rank);
        }
    }
}
