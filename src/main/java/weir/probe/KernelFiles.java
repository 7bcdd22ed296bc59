package weir.probe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The text files in which the kernel answers, below "/" or below a test's copy of it. */
record KernelFiles(Path root) {
    static final KernelFiles LIVE = new KernelFiles(Path.of("/"));

    /** The kernel counts CPU time in hundredths of a second towards user space, whatever it uses inside (USER_HZ). */
    static final double TICKS_PER_SECOND = 100;

    static final double MIB = 1024 * 1024;

    String text(String path) throws IOException {
        // A process may have any bytes in its name, so the text is not decoded as UTF-8, which could fail.
        return new String(Files.readAllBytes(at(path)), StandardCharsets.ISO_8859_1);
    }

    List<String> lines(String path) throws IOException {
        return text(path).lines().toList();
    }

    boolean has(String path) {
        return Files.exists(at(path));
    }

    /** Lines of "name value", "name: value" or "name value unit". Lines without a number are left out. */
    Map<String, Long> table(String path) throws IOException {
        Map<String, Long> table = new HashMap<>();
        for (String line : lines(path)) {
            String[] words = words(line);
            if (words.length >= 2 && isNumber(words[1])) {
                String name = words[0].endsWith(":") ? words[0].substring(0, words[0].length() - 1) : words[0];
                table.put(name, Long.parseLong(words[1]));
            }
        }
        return table;
    }

    Path at(String path) {
        return root.resolve(path.substring(1));
    }

    /** Exact up to 2^53; as nanoseconds that is 104 days of CPU time. */
    static double number(String word) {
        return (double) Long.parseLong(word);
    }

    static String[] words(String line) {
        return line.strip().split("\\s+", -1);
    }

    /** Whether a long can hold it: cgroup v1 writes "no limit" as a number close to 2^63, which it still can. */
    private static boolean isNumber(String word) {
        return !word.isEmpty() && word.length() <= 19 && word.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
