package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Executable;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassReader;
import org.springframework.asm.Type;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The library is compiled against the later of two lines of Spring Boot. What its classes refer to must exist in the earlier one, too. */
class EarlierLineTest {

    private static final Pattern OF_THE_LINE = Pattern.compile(
            "(io/lettuce/|org/apache/hc/core5/|org/springframework/boot/|org/springframework/data/redis/).*");

    private static final Pattern ANNOTATION = Pattern.compile("L([^;()<>]+);");

    private static final int TEXT = 1;
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int INTERFACE_METHOD = 11;

    @Test
    void what_the_earlier_line_lacks_is_used_behind_a_check_of_its_class() throws Exception {
        Set<String> missing = new TreeSet<>();
        int references = 0;
        try (EarlierLine line = EarlierLine.open()) {
            for (Resource file : classesOfTheLibrary()) {
                for (Reference reference : references(file)) {
                    references++;
                    if (!line.has(reference)) {
                        missing.add(reference.toString());
                    }
                }
            }
        }
        assertThat(references).isGreaterThan(500);
        assertThat(missing)
                .containsExactly(
                        "MaintenanceNotifications$Disabling: io/lettuce/core/ClientOptions$Builder.maintNotificationsConfig"
                                + "(Lio/lettuce/core/MaintNotificationsConfig;)Lio/lettuce/core/ClientOptions$Builder;",
                        "MaintenanceNotifications$Disabling: io/lettuce/core/MaintNotificationsConfig",
                        "MaintenanceNotifications$Disabling: io/lettuce/core/MaintNotificationsConfig.disabled"
                                + "()Lio/lettuce/core/MaintNotificationsConfig;");
    }

    private static List<Resource> classesOfTheLibrary() throws IOException {
        return Arrays.stream(
                        new PathMatchingResourcePatternResolver().getResources("classpath*:dev/election/**/*.class"))
                .filter(file -> !file.toString().contains("/test-classes/"))
                .filter(file -> !file.toString().contains("-tests.jar"))
                .toList();
    }

    /** As its pool of constants names them. */
    private static List<Reference> references(Resource file) throws IOException {
        ClassReader reader;
        try (InputStream content = file.getInputStream()) {
            reader = new ClassReader(content);
        }
        String user = reader.getClassName().substring(reader.getClassName().lastIndexOf('/') + 1);
        char[] buffer = new char[reader.getMaxStringLength()];
        List<Reference> references = new ArrayList<>();
        for (int item = 1; item < reader.getItemCount(); item++) {
            int start = reader.getItem(item);
            int kind = start == 0 ? 0 : reader.readByte(start - 1);
            if (kind == TEXT) {
                Matcher annotation = ANNOTATION.matcher(text(reader, start));
                if (annotation.matches()) {
                    references.add(new Reference(user, annotation.group(1), "", ""));
                }
            } else if (kind == CLASS) {
                references.add(new Reference(user, reader.readUTF8(start, buffer), "", ""));
            } else if (FIELD <= kind && kind <= INTERFACE_METHOD) {
                int member = reader.getItem(reader.readUnsignedShort(start + 2));
                references.add(new Reference(
                        user,
                        reader.readClass(start, buffer),
                        reader.readUTF8(member, buffer),
                        reader.readUTF8(member + 2, buffer)));
            }
        }
        return references.stream()
                .filter(reference -> OF_THE_LINE.matcher(reference.owner).matches())
                .toList();
    }

    private static String text(ClassReader reader, int start) {
        byte[] bytes = new byte[reader.readUnsignedShort(start)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) reader.readByte(start + 2 + i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * @param user the class that refers to it, without its package
     * @param owner the class that is referred to, or whose member is
     * @param member empty if it is the class itself
     * @param descriptor of the member
     */
    private record Reference(String user, String owner, String member, String descriptor) {

        @Override
        public String toString() {
            return user + ": " + owner + (member.isEmpty() ? "" : "." + member + descriptor);
        }
    }

    /** Classes of the earlier line; all others are those of the tests. */
    private static final class EarlierLine extends URLClassLoader {

        private EarlierLine(URL[] jars) {
            super(jars, EarlierLineTest.class.getClassLoader());
        }

        private static EarlierLine open() throws MalformedURLException {
            File[] jars = new File("target/earlier-line").listFiles((folder, name) -> name.endsWith(".jar"));
            assertThat(jars).as("jars that the build has copied").isNotEmpty();
            URL[] urls = new URL[jars.length];
            for (int i = 0; i < jars.length; i++) {
                urls[i] = jars[i].toURI().toURL();
            }
            return new EarlierLine(urls);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!OF_THE_LINE.matcher(name.replace('.', '/')).matches()) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        private boolean has(Reference reference) {
            try {
                Class<?> owner = Class.forName(reference.owner.replace('/', '.'), false, this);
                return reference.member.isEmpty() || hasMember(owner, reference);
            } catch (ClassNotFoundException | TypeNotPresentException missing) {
                return false;
            }
        }

        private boolean hasMember(Class<?> owner, Reference reference) {
            if (declares(owner, reference)) {
                return true;
            }
            Class<?> parent = owner.getSuperclass();
            return (parent != null && hasMember(parent, reference))
                    || Arrays.stream(owner.getInterfaces()).anyMatch(each -> hasMember(each, reference))
                    || (owner.isInterface() && declares(Object.class, reference));
        }

        private boolean declares(Class<?> owner, Reference reference) {
            if (!reference.descriptor.startsWith("(")) {
                return Arrays.stream(owner.getDeclaredFields())
                        .anyMatch(field -> field.getName().equals(reference.member)
                                && Type.getDescriptor(field.getType()).equals(reference.descriptor));
            }
            MethodType type = MethodType.fromMethodDescriptorString(reference.descriptor, this);
            if (reference.member.equals("<init>")) {
                return Arrays.stream(owner.getDeclaredConstructors()).anyMatch(constructor -> takes(constructor, type));
            }
            return Arrays.stream(owner.getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals(reference.member)
                            && method.getReturnType() == type.returnType()
                            && takes(method, type));
        }

        private static boolean takes(Executable executable, MethodType type) {
            return type.parameterList().equals(List.of(executable.getParameterTypes()));
        }
    }
}
