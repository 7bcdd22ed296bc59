package weir.cluster;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.io.Io;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.Properties;

/** The extra jars and folders from which the clients of a cluster load classes. */
public final class ClientJars {
    private static final List<String> LISTS =
            List.of("interceptor.classes", "metric.reporters", "partition.assignment.strategy", "security.providers");

    private static final Pattern LOGIN =
            Pattern.compile("([\\w.$]+)\\s+(?:required|requisite|sufficient|optional)\\b", Pattern.CASE_INSENSITIVE);

    private ClientJars() {}

    /** Lets clients of this thread, and of its later child threads, load classes from these jars. */
    public static void use(List<Path> jars) {
        ClassLoader now = Thread.currentThread().getContextClassLoader();
        List<String> had = Stream.iterate(now, Objects::nonNull, ClassLoader::getParent)
                .flatMap(each -> each instanceof URLClassLoader ours ? Stream.of(ours.getURLs()) : Stream.of())
                .map(URL::toString)
                .toList();
        List<URL> more = new ArrayList<>();
        Io.attempt("reading the class path " + jars, () -> {
            for (Path jar : jars) {
                URL url = jar.toUri().toURL();
                if (!had.contains(url.toString())) {
                    more.add(url);
                }
            }
        });
        if (!more.isEmpty()) {
            Thread.currentThread().setContextClassLoader(new URLClassLoader(more.toArray(URL[]::new), now));
        }
    }

    /** Expands a class path as Java does: a folder with a star stands for all jars in it. */
    public static List<Path> read(String classPath) {
        List<Path> jars = new ArrayList<>();
        for (String entry : classPath.split(":", -1)) {
            Path path = Path.of(entry);
            if (!entry.endsWith("/*")) {
                jars.add(path);
                continue;
            }
            Path folder = Path.of(entry.substring(0, entry.length() - 1));
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
                Set<Path> sorted = new TreeSet<>();
                found.forEach(sorted::add);
                jars.addAll(sorted);
            } catch (IOException absent) {
                jars.add(folder);
            }
        }
        jars.removeIf(jar -> jar.toString().isEmpty());
        return jars;
    }

    /** Returns a line for each missing class in the properties. References are skipped. */
    public static List<String> missing(Map<String, String> properties) {
        List<String> missing = new ArrayList<>();
        properties.forEach((name, value) -> {
            Properties.Known known = Properties.known().get(name);
            List<String> named = new ArrayList<>();
            if (name.equals("sasl.jaas.config")) {
                Matcher login = LOGIN.matcher(value.strip());
                named.addAll(login.lookingAt() ? List.of(login.group(1)) : List.of());
            } else if (LISTS.contains(name) || (known != null && known.type().equals("class"))) {
                named.addAll(List.of(value.split(",")));
            }
            for (String each : named) {
                String type = each.strip();
                if (!type.isEmpty() && !type.contains("${") && !classExists(type)) {
                    missing.add(name + ": the class path of the client has no class '" + type + "'; add its jar with"
                            + " cluster.classpath or --classpath");
                }
            }
        });
        return missing;
    }

    /** Rejects properties with missing classes. {@code map} is the path of the properties in the experiment. */
    public static void check(String map, Map<String, String> properties) {
        List<Problem> problems = missing(properties).stream()
                .map(line -> Problem.of("", map + "." + line))
                .toList();
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
    }

    private static boolean classExists(String type) {
        try {
            Class.forName(type, false, Thread.currentThread().getContextClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
