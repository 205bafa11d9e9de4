package dev.election.fencing.internal.bean;

import dev.election.fencing.internal.bytecode.ThisCalls;
import dev.election.fencing.internal.transaction.Fence;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.util.ClassUtils;

/**
 * Finds methods of a class that call a fenced method on {@code this}, and so past the proxy with the fence, without being fenced for the same
 * resource themselves. Looks at the bytecode, once at the start, of classes with fences only.
 */
final class SelfCalls extends ClassVisitor {

    private static final Logger log = LoggerFactory.getLogger(SelfCalls.class);

    /** Which methods each method calls on {@code this}, all by name and descriptor. */
    private final Map<String, Set<String>> calls = new HashMap<>();

    /** Methods that others may call, in contrast to private ones and those of lambdas. */
    private final Set<String> entries = new LinkedHashSet<>();

    private SelfCalls() {
        super(SpringAsmInfo.ASM_VERSION);
    }

    /** Warns once if the class has some. Says nothing of classes whose bytecode can't be read. */
    static void warnOf(Class<?> type, FencedMethods methods) {
        Set<String> found = find(type, methods);
        if (!found.isEmpty()) {
            log.warn(
                    "{} calls fenced methods of its own, past the proxy: they are NOT fenced there, and a leader that"
                            + " was paused may commit. {}. Fence the calling method for the same resource, or move the"
                            + " called one to another bean",
                    type.getName(),
                    String.join(", ", found));
        }
    }

    /** Such calls as text, by the names of the methods. */
    static Set<String> find(Class<?> type, FencedMethods methods) {
        SelfCalls read = new SelfCalls();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            read.read(each);
        }
        return read.unfenced(methods.bySignature());
    }

    private void read(Class<?> type) {
        try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (code != null) {
                new ClassReader(code).accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | RuntimeException unreadable) {
            log.debug("The bytecode of {} can't be read", type, unreadable);
        }
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        String method = ThisCalls.signature(name, descriptor);
        boolean isHidden = (access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC)) != 0;
        // One of a superclass is overridden by one that was read before.
        if ((access & Opcodes.ACC_STATIC) != 0 || name.startsWith("<") || calls.containsKey(method)) {
            return null;
        }
        Set<String> called = calls.computeIfAbsent(method, first -> new TreeSet<>());
        if (!isHidden) {
            entries.add(method);
        }
        return new ThisCalls(called::add);
    }

    private Set<String> unfenced(Map<String, Fence> fences) {
        Set<String> found = new TreeSet<>();
        for (String entry : entries) {
            Fence fence = fences.get(entry);
            Deque<String> open = new ArrayDeque<>(calls.getOrDefault(entry, Set.of()));
            Set<String> seen = new HashSet<>();
            while (!open.isEmpty()) {
                String called = open.remove();
                Fence other = fences.get(called);
                if (other != null && !other.equals(fence)) {
                    found.add(nameOf(entry) + " calls " + nameOf(called));
                } else if (other == null && seen.add(called)) {
                    open.addAll(calls.getOrDefault(called, Set.of()));
                }
            }
        }
        return found;
    }

    private static String nameOf(String method) {
        return method.substring(0, method.indexOf('('));
    }
}
