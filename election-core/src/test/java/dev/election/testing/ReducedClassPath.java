package dev.election.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.stream.Stream;

/** The class path of this test less some libraries: what is run on it is loaded anew, with all that it uses. */
public final class ReducedClassPath {

    private final String[] libraries;

    private ReducedClassPath(String[] libraries) {
        this.libraries = libraries;
    }

    /** Leaves out the libraries whose file names begin so; fails if there are none. */
    public static ReducedClassPath without(String... libraries) {
        return new ReducedClassPath(libraries);
    }

    /** Runs code that has a constructor without parameters. */
    public void run(Class<? extends Runnable> code) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            Class<?> loaded = loader.loadClass(code.getName());
            ((Runnable) loaded.getDeclaredConstructor().newInstance()).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private URL[] urls() {
        String[] whole = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] left = Arrays.stream(whole)
                .map(File::new)
                .filter(entry -> Stream.of(libraries).noneMatch(entry.getName()::startsWith))
                .map(ReducedClassPath::url)
                .toArray(URL[]::new);
        if (left.length == whole.length) {
            throw new IllegalStateException("Nothing to leave out on the class path: " + Arrays.toString(libraries));
        }
        return left;
    }

    private static URL url(File entry) {
        try {
            return entry.toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
