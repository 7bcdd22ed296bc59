package weir.feature.publish;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import weir.io.Io;
import weir.plan.read.Hash;
import weir.results.JsonComparison.Difference;
import weir.results.ResultJson;
import weir.results.RunFiles;
import weir.results.RunFolder;
import weir.results.UnreadableRunException;

/**
 * The checksums of a published folder. {@code SHA256SUMS} has a line for each file. {@code RESULT.md} has the checksum
 * of {@code SHA256SUMS}, and its last line is the checksum of all its other lines.
 */
public record PublishedFolder(Path path) {
    static final int FORMAT = 1;
    static final String PAGE = "RESULT.md";
    static final String SUMS = "SHA256SUMS";
    static final String ABOUT = "publication.json";

    private static final String OF_SUMS = "SHA-256 of `" + SUMS + "`: `%s`";
    private static final String OF_PAGE = "SHA-256 of this page without its last line: `%s`";

    /**
     * The form of a published folder.
     *
     * @param weir the version of Weir that published the folder
     * @param names true if the folder contains the names of hosts, users and paths
     */
    record About(int format, String weir, boolean names) {}

    /**
     * Opens the run in a published folder. Throws {@link UnreadableRunException} if the folder is not a published
     * result, or if a file has changed since.
     */
    public static RunFolder intact(Path path) {
        PublishedFolder published = new PublishedFolder(path);
        About unused = published.about();
        List<Difference> differences = published.differences();
        if (!differences.isEmpty()) {
            throw new UnreadableRunException(path + ": was changed after weir publish made it ("
                    + differences.get(0).where() + "); to list the changes: weir verify " + path);
        }
        return RunFolder.open(path);
    }

    /** Throws {@link UnreadableRunException} for another folder, and for a newer format. */
    About about() {
        Path file = path.resolve(ABOUT);
        if (!Files.exists(file)) {
            throw new UnreadableRunException(path + ": has no " + ABOUT
                    + ", so it is not a published result; publish a run with: weir publish RUN --to DIR");
        }
        About about = ResultJson.read(file, About.class);
        if (about.format() > FORMAT) {
            throw new UnreadableRunException(path + ": has format " + about.format()
                    + ", but this Weir reads formats up to " + FORMAT + "; use Weir " + about.weir());
        }
        return about;
    }

    /** Writes the checksums and the page, after all other files. */
    void seal(String page) {
        StringBuilder sums = new StringBuilder();
        files().forEach((name, file) ->
                sums.append(hash(file)).append("  ").append(name).append('\n'));
        Io.attempt("writing to " + path, () -> {
            Files.writeString(path.resolve(SUMS), sums);
            Files.writeString(path.resolve(PAGE), sealed(page));
        });
    }

    /** Returns the page with its two checksums. */
    String sealed(String page) {
        String body = page + String.format(OF_SUMS, hash(path.resolve(SUMS))) + "\n\n";
        return body + String.format(OF_PAGE, Hash.of(body.getBytes(StandardCharsets.UTF_8))) + "\n";
    }

    List<Difference> differences() {
        List<Difference> differences = new ArrayList<>();
        if (!Files.isRegularFile(path.resolve(SUMS))) {
            return List.of(new Difference(SUMS, "nothing", "a file"));
        }
        SortedMap<String, Path> files = files();
        SortedMap<String, String> sums = sums();
        for (Map.Entry<String, String> sum : sums.entrySet()) {
            Path file = files.remove(sum.getKey());
            String found = file == null ? "no such file" : hash(file);
            if (!found.equals(sum.getValue())) {
                differences.add(new Difference(sum.getKey() + ": SHA-256", found, sum.getValue()));
            }
        }
        files.keySet().forEach(name -> differences.add(new Difference(name, "a file", "no such file in " + SUMS)));
        String page = Files.exists(path.resolve(PAGE)) ? latin(path.resolve(PAGE)) : "";
        int last = page.lastIndexOf('\n', page.length() - 2) + 1;
        check(
                differences,
                PAGE + ", last line",
                page.substring(last),
                String.format(OF_PAGE, Hash.of(page.substring(0, last).getBytes(StandardCharsets.ISO_8859_1))));
        String sealed = String.format(OF_SUMS, hash(path.resolve(SUMS)));
        String line = page.lines()
                .filter(each -> each.startsWith(OF_SUMS.substring(0, 22)))
                .findFirst()
                .orElse("");
        check(differences, PAGE + ", checksum of " + SUMS, line + "\n", sealed);
        return differences;
    }

    private static void check(List<Difference> differences, String where, String found, String expected) {
        if (!found.equals(expected + "\n")) {
            differences.add(new Difference(where, found.strip(), expected));
        }
    }

    private SortedMap<String, String> sums() {
        SortedMap<String, String> sums = new TreeMap<>();
        latin(path.resolve(SUMS)).lines().forEach(line -> {
            int space = line.indexOf("  ");
            byte[] name = line.substring(space < 0 ? 0 : space + 2).getBytes(StandardCharsets.ISO_8859_1);
            sums.put(new String(name, StandardCharsets.UTF_8), space < 0 ? "" : line.substring(0, space));
        });
        return sums;
    }

    // A changed byte may be no UTF-8.
    private static String latin(Path file) {
        return RunFiles.reading(RunFiles.own(file), () -> Files.readString(file, StandardCharsets.ISO_8859_1));
    }

    /** The files below the checksums by their relative names. {@code weir report} may write the report again. */
    private SortedMap<String, Path> files() {
        SortedMap<String, Path> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(path)) {
            all.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                    .forEach(file -> files.put(path.relativize(file).toString(), file));
        } catch (IOException | UncheckedIOException e) {
            throw new UnreadableRunException(path + ": cannot be read: " + e.getMessage());
        }
        files.keySet().removeAll(List.of(PAGE, SUMS, "report.html"));
        return files;
    }

    private static String hash(Path file) {
        return RunFiles.reading(RunFiles.own(file), () -> Hash.of(file));
    }
}
