package weir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fault to plant in one class.
 *
 * @param area the file of the catalogue with this fault
 * @param type the simple name of a class, with as many packages as needed to make the name unique
 * @param tests the classes or packages of tests that should catch the fault
 * @param explained reason why no test needs to catch the fault; empty if a test should
 */
record Mutant(
        String area,
        String title,
        String type,
        List<String> tests,
        String explained,
        String fragment,
        String replacement) {
    private static final Pattern FIELD = Pattern.compile("(class|tests|explained): +(.+)");

    /** A mismatch of the catalogue with the code, or within the catalogue. */
    static final class Stale extends Exception {
        private static final long serialVersionUID = 1;

        Stale(String why) {
            super(why);
        }
    }

    Mutant {
        tests = List.copyOf(tests);
    }

    /** Returns all faults of a catalogue. Each area has a file; blank lines separate the faults of a file. */
    static List<Mutant> all(Path catalogue) throws IOException {
        List<Mutant> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(catalogue)) {
            for (Path file : files.sorted().toList()) {
                String area = String.valueOf(file.getFileName()).replace(".txt", "");
                String text = Files.readString(file).replaceAll("(?m)^#.*\n", "");
                for (String block : text.strip().split("\n\\s*\n", -1)) {
                    all.add(of(area, block.strip()));
                }
            }
        }
        return all;
    }

    private static Mutant of(String area, String block) {
        List<String> lines = block.lines().toList();
        Map<String, String> fields = new TreeMap<>();
        List<String> fragment = new ArrayList<>();
        List<String> replacement = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            Matcher field = FIELD.matcher(line.strip());
            if (line.startsWith("-")) {
                fragment.add(line.substring(1).strip());
            } else if (line.startsWith("+")) {
                replacement.add(line.substring(1).strip());
            } else if (field.matches()) {
                fields.put(field.group(1), field.group(2));
            } else {
                throw new IllegalArgumentException(area + ", " + lines.get(0) + ": '" + line
                        + "' is no line of a fault; they begin with class:, tests:, explained:, - or +");
            }
        }
        if (fragment.isEmpty() || !fields.containsKey("class") || !fields.containsKey("tests")) {
            throw new IllegalArgumentException(area + ", " + lines.get(0) + ": needs class:, tests: and a line with -");
        }
        return new Mutant(
                area,
                lines.get(0),
                fields.getOrDefault("class", ""),
                List.of(fields.getOrDefault("tests", "").split("[ ,]+", -1)),
                fields.getOrDefault("explained", ""),
                String.join("\n", fragment),
                String.join("\n", replacement));
    }

    /** Returns the source file of the class; its package may have changed. */
    Path source(Path sources) throws IOException, Stale {
        return only(type, ".java", sources);
    }

    String planted(String source) throws Stale {
        // Blanks and line ends depend on the layout of the code, which may change.
        String text = Stream.of(fragment.split("\\s+", -1)).map(Pattern::quote).collect(Collectors.joining("\\s+"));
        Matcher found = Pattern.compile("(?<!\\w)" + text + "(?!\\w)").matcher(source);
        if (!found.find()) {
            throw new Stale(type + " has no '" + fragment + "'");
        }
        int start = found.start();
        int end = found.end();
        if (found.find()) {
            throw new Stale(type + " has '" + fragment + "' more than once");
        }
        return source.substring(0, start) + replacement + source.substring(end);
    }

    List<String> classes(Path compiled) throws IOException, Stale {
        List<String> classes = new ArrayList<>();
        for (String name : tests) {
            Path folder = compiled.resolve("weir").resolve(name.replace('.', '/'));
            if (Files.isDirectory(folder)) {
                classes.addAll(classesIn(folder, compiled));
            } else {
                classes.add(className(only(name, ".class", compiled), compiled));
            }
        }
        return classes;
    }

    static List<String> classesIn(Path folder, Path compiled) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith("Test.class"))
                    .map(file -> className(file, compiled))
                    .sorted()
                    .toList();
        }
    }

    private static String className(Path file, Path root) {
        return root.relativize(file).toString().replace(".class", "").replace('/', '.');
    }

    private static Path only(String name, String suffix, Path root) throws IOException, Stale {
        String end = "/" + name.replace('.', '/') + suffix;
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(end)).toList();
            if (found.size() != 1) {
                throw new Stale(found.isEmpty() ? "there is no " + name : name + " may be any of " + found);
            }
            return found.get(0);
        }
    }
}
