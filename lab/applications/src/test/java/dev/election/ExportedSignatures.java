package dev.election;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Signatures that others compile against: of the API for applications, of the SPI for authors of stores, and of the packages that the
 * modules share. Everything else is package-private, or stands in a package {@code internal} or {@code autoconfigure}. A line that comes or
 * goes is a decision: {@code -Delection.test.signatures=write} writes the lists again, and their difference is reviewed.
 */
final class ExportedSignatures {

    private static final Path LISTS = Path.of("src/test/resources/signatures");
    private static final Path SHARED = Path.of("src/test/resources/shared-packages.txt");

    /** Besides what is internal: wiring, which Spring Boot uses, and what tests are written with. */
    private static final Pattern NOT_EXPORTED =
            Pattern.compile("dev\\.election\\.(.*\\.)?(internal|autoconfigure|test|harness)(\\..*)?");

    private static final Set<String> SPI = Set.of("dev.election.store", "dev.election.record");

    private static final Pattern TYPE = Pattern.compile("dev\\.election\\.[\\w.$]+");
    private static final Pattern INTERNAL = Pattern.compile("dev\\.election\\.([\\w.]+\\.)?internal\\.");

    @ArchTest
    static void signatures_are_those_of_the_lists(JavaClasses types) throws Exception {
        boolean isWritten = "write".equals(System.getProperty("election.test.signatures"));
        for (String kind : List.of("api", "spi", "shared")) {
            List<String> signatures = signatures(types, kind);
            Path list = LISTS.resolve(kind + ".txt");
            if (isWritten) {
                Files.createDirectories(LISTS);
                Files.write(list, signatures);
            }
            assertThat(Files.readAllLines(list))
                    .as("the signatures of %s, which -Delection.test.signatures=write writes", list)
                    .containsExactlyElementsOf(signatures);
        }
    }

    @ArchTest
    static void no_signature_has_an_internal_type(JavaClasses types) throws Exception {
        List<String> found = new ArrayList<>();
        for (String kind : List.of("api", "spi", "shared")) {
            String owner = "";
            for (String line : signatures(types, kind)) {
                owner = line.startsWith(" ") ? owner : line;
                if (INTERNAL.matcher(line.replaceFirst(" permits .*", "")).find()) {
                    found.add(owner + " " + line.strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** A package is shared because another module uses it, and a type of it is public because another package does. */
    @ArchTest
    static void what_is_shared_is_used_by_others(JavaClasses types) throws IOException {
        Set<String> shared = shared();
        assertThat(types.stream().map(JavaClass::getPackageName)).containsAll(shared);
        assertThat(shared).noneMatch(name -> INTERNAL.matcher(name + ".").find());
        assertThat(shared.stream().filter(name -> types.stream()
                        .filter(type -> type.getPackageName().equals(name))
                        .allMatch(type -> users(type)
                                .allMatch(user -> Modules.moduleOf(user).equals(Modules.moduleOf(type))))))
                .as("shared packages that only their own module uses")
                .isEmpty();
        assertThat(types.stream()
                        .filter(type -> shared.contains(type.getPackageName()) && type.isTopLevelClass())
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> types.stream()
                                .filter(each -> each.getName().matches(Pattern.quote(type.getName()) + "(\\$.*)?"))
                                .flatMap(ExportedSignatures::users)
                                .allMatch(user -> user.getPackageName().equals(type.getPackageName())))
                        .map(JavaClass::getName)
                        .sorted())
                .as("shared types that only their own package uses")
                .isEmpty();
    }

    private static Stream<JavaClass> users(JavaClass type) {
        return type.getDirectDependenciesToSelf().stream().map(Dependency::getOriginClass);
    }

    /** Names of the types of the API and the SPI that stand in no other type. */
    static List<String> types() throws IOException {
        List<String> types = new ArrayList<>();
        for (String kind : List.of("api", "spi")) {
            for (String line : Files.readAllLines(LISTS.resolve(kind + ".txt"))) {
                Matcher type = TYPE.matcher(line);
                if (!line.startsWith(" ") && type.find() && !type.group().contains("$")) {
                    types.add(type.group());
                }
            }
        }
        return types;
    }

    private static Set<String> shared() throws IOException {
        return Set.copyOf(Files.readAllLines(SHARED).stream()
                .filter(line -> !line.isBlank())
                .toList());
    }

    private static List<String> signatures(JavaClasses types, String kind) throws IOException, ClassNotFoundException {
        Set<String> shared = shared();
        List<String> lines = new ArrayList<>();
        try (URLClassLoader loader = loader()) {
            for (JavaClass type : types.stream()
                    .filter(type -> kind.equals(kindOf(type.getPackageName(), shared)))
                    .filter(type -> !type.getSimpleName().equals("package-info"))
                    .sorted(Comparator.comparing(JavaClass::getName))
                    .toList()) {
                Class<?> exported = Class.forName(type.getName(), false, loader);
                if (isExported(exported)) {
                    lines.add(header(exported));
                    members(exported).sorted().distinct().forEach(lines::add);
                }
            }
        }
        return lines;
    }

    private static String kindOf(String packageName, Set<String> shared) {
        if (shared.contains(packageName)) {
            return "shared";
        }
        if (NOT_EXPORTED.matcher(packageName).matches()) {
            return "none";
        }
        return SPI.contains(packageName) ? "spi" : "api";
    }

    private static boolean isExported(Class<?> type) {
        return isVisible(type.getModifiers())
                && (type.getDeclaringClass() == null || isExported(type.getDeclaringClass()))
                && !type.isAnonymousClass()
                && !type.isLocalClass();
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String header(Class<?> type) {
        StringBuilder line = new StringBuilder();
        String kind =
                type.isAnnotation() ? "@interface" : type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
        int modifiers = type.getModifiers()
                & ~(type.isInterface() ? Modifier.INTERFACE | Modifier.ABSTRACT : 0)
                & ~(type.isRecord() || type.isEnum() ? Modifier.FINAL | Modifier.ABSTRACT : 0)
                & ~Modifier.STATIC;
        line.append(Modifier.toString(modifiers)).append(type.isSealed() ? " sealed " : " ");
        line.append(type.isInterface() && !type.isAnnotation() ? "interface" : kind)
                .append(' ')
                .append(type.getName());
        if (type.getTypeParameters().length > 0) {
            line.append(Arrays.stream(type.getTypeParameters())
                    .map(ExportedSignatures::parameter)
                    .collect(joining(", ", "<", ">")));
        }
        Type parent = type.getGenericSuperclass();
        if (parent != null && parent != Object.class && parent != Record.class && !type.isEnum()) {
            line.append(" extends ").append(parent.getTypeName());
        }
        if (type.getGenericInterfaces().length > 0 && !type.isAnnotation()) {
            line.append(type.isInterface() ? " extends " : " implements ").append(names(type.getGenericInterfaces()));
        }
        return withoutPackagesOfJava(line.toString());
    }

    private static String parameter(TypeVariable<?> parameter) {
        Type[] bounds = parameter.getBounds();
        return parameter.getName()
                + (bounds.length == 1 && bounds[0] == Object.class
                        ? ""
                        : " extends "
                                + Arrays.stream(bounds).map(Type::getTypeName).collect(joining(" & ")));
    }

    private static String names(Type[] types) {
        return Arrays.stream(types).map(Type::getTypeName).collect(joining(", "));
    }

    /** Also those that a type inherits from a class that is not exported itself. */
    private static Stream<String> members(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        Stream<String> own = Stream.of(
                        type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
                .flatMap(Arrays::stream)
                .map(Member.class::cast)
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .filter(member -> !isImplied(type, member))
                .filter(member -> Modifier.isPublic(member.getModifiers()) || !Modifier.isFinal(type.getModifiers()))
                .map(ExportedSignatures::signature);
        boolean inherits = parent != null && parent.getName().startsWith("dev.election.") && !isExported(parent);
        return inherits ? Stream.concat(own, members(parent).filter(line -> !line.contains("<init>"))) : own;
    }

    /** Each type, or each enum, has such a method. */
    private static boolean isImplied(Class<?> type, Member member) {
        return member instanceof Method method
                && (Set.of("equals", "hashCode", "toString").contains(member.getName())
                        || (type.isEnum() && Set.of("values", "valueOf").contains(method.getName())));
    }

    private static String signature(Member member) {
        String whole = member instanceof Method method
                ? method.toGenericString()
                : member instanceof Constructor<?> constructor
                        ? constructor.toGenericString().replace(constructor.getName() + "(", "<init>(")
                        : ((Field) member).toGenericString();
        return "    "
                + withoutPackagesOfJava(whole)
                        .replaceFirst("^public ", "")
                        .replace(member.getDeclaringClass().getTypeName() + "." + member.getName(), member.getName());
    }

    private static String withoutPackagesOfJava(String line) {
        return line.replaceAll("\\bjava\\.([a-z]+\\.)+", "");
    }

    private static URLClassLoader loader() throws MalformedURLException {
        List<URL> folders = new ArrayList<>();
        for (Path folder : Modules.classes()) {
            folders.add(folder.toUri().toURL());
        }
        return new URLClassLoader(folders.toArray(URL[]::new), ExportedSignatures.class.getClassLoader());
    }
}
