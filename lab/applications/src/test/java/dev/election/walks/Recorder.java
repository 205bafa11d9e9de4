package dev.election.walks;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/** Agent that notes which classes of the library have a method that begins while it records, on any thread. */
public final class Recorder implements ClassFileTransformer {

    private static final Set<String> ENTERED = ConcurrentHashMap.newKeySet();
    private static volatile boolean isRecording;

    private Recorder() {}

    /** Instruments the library: what is loaded, and what will be. */
    static void install() throws Exception {
        Instrumentation machine = ByteBuddyAgent.install();
        machine.addTransformer(new Recorder(), true);
        for (Class<?> type : machine.getAllLoadedClasses()) {
            if (machine.isModifiableClass(type)
                    && isOfTheLibrary(type.getName().replace('.', '/'), type.getProtectionDomain())) {
                machine.retransformClasses(type);
            }
        }
    }

    static void start() {
        ENTERED.clear();
        isRecording = true;
    }

    /** Names of the classes that stand in no other one: a nested class counts as the one around it. */
    static Set<String> stop() {
        isRecording = false;
        Set<String> types = new TreeSet<>();
        ENTERED.forEach(type -> types.add(type.replace('/', '.').replaceFirst("\\$.*", "")));
        return types;
    }

    /** Called by each method of the library. */
    public static void enter(String type) {
        if (isRecording) {
            ENTERED.add(type);
        }
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> before, ProtectionDomain domain, byte[] content) {
        if (!isOfTheLibrary(name, domain)) {
            return null;
        }
        ClassReader reader = new ClassReader(content);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Entries(name, writer), 0);
        return writer.toByteArray();
    }

    private static boolean isOfTheLibrary(String name, ProtectionDomain domain) {
        if (name == null || !name.startsWith("dev/election/") || domain == null || domain.getCodeSource() == null) {
            return false;
        }
        String place = domain.getCodeSource().getLocation().getPath();
        return Arrays.stream(new String[] {"/test-classes/", "-tests.jar", "/harness/", "election-harness"})
                .noneMatch(place::contains);
    }

    /** Has each method begin with a call. Initializers of classes run once only, whoever comes first. */
    private static final class Entries extends ClassVisitor {

        private final String type;

        private Entries(String type, ClassVisitor writer) {
            super(Opcodes.ASM9, writer);
            this.type = type;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals("<clinit>")
                    ? method
                    : new MethodVisitor(Opcodes.ASM9, method) {

                        @Override
                        public void visitCode() {
                            super.visitCode();
                            visitLdcInsn(type);
                            visitMethodInsn(
                                    Opcodes.INVOKESTATIC,
                                    Recorder.class.getName().replace('.', '/'),
                                    "enter",
                                    "(Ljava/lang/String;)V",
                                    false);
                        }
                    };
        }
    }
}
