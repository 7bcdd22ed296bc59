package weir.host.kernel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text files of the kernel, below "/" or below a test's copy. */
public record KernelFiles(Path root) {
    public static final KernelFiles LIVE = new KernelFiles(Path.of("/"));

    /** The unit of CPU times in files for user space: hundredths of a second on every kernel (USER_HZ). */
    public static final double TICKS_PER_SECOND = 100;

    public static final double MIB = 1024 * 1024;

    private static final int AT_ONCE = 4096;

    private static final Pattern BLANKS = Pattern.compile("[ \t]+");

    /** A name and a number of at most 18 digits, so that the number fits into a long. */
    private static final Pattern ENTRY = Pattern.compile("^([^:\\s]+):?\\s+([0-9]{1,18})\\b");

    public String text(String path) throws IOException {
        // The kernel returns a setting only to a read of the whole file. Files.readAllBytes would first read one byte,
        // because the file reports length 0.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(AT_ONCE);
        try (InputStream in = Files.newInputStream(at(path))) {
            byte[] some = new byte[AT_ONCE];
            for (int read = in.read(some); read > 0; read = in.read(some)) {
                bytes.write(some, 0, read);
            }
        }
        // The name of a process may contain any bytes, which UTF-8 could not decode.
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    public List<String> lines(String path) throws IOException {
        return text(path).lines().toList();
    }

    public boolean has(String path) {
        return Files.exists(at(path));
    }

    public Map<String, Long> table(String path) throws IOException {
        Map<String, Long> table = new HashMap<>();
        for (String line : lines(path)) {
            Matcher matcher = ENTRY.matcher(line);
            if (matcher.find()) {
                table.put(matcher.group(1), Long.parseLong(matcher.group(2)));
            }
        }
        return table;
    }

    public String field(String path, String name) throws IOException {
        for (String line : lines(path)) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1).strip();
            }
        }
        throw new IOException(path + " has no " + name);
    }

    /** The matching entries of a folder, such as that of a process or a partition, which may disappear meanwhile. */
    public static List<Path> entries(Path folder, DirectoryStream.Filter<Path> wanted) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, wanted)) {
            stream.forEach(entries::add);
        } catch (DirectoryIteratorException e) {
            // An iterator cannot throw checked exceptions, so it wraps them.
            throw e.getCause();
        }
        return entries;
    }

    public Path at(String path) {
        return root.resolve(path.substring(1));
    }

    /** Parses a number, exact up to 2^53, which is 104 days of CPU time in nanoseconds. */
    public static double number(String word) {
        return (double) Long.parseLong(word);
    }

    public static String[] words(String line) {
        return BLANKS.split(line.strip(), -1);
    }
}
