package weir.feature.trend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.io.Io;
import weir.results.RunFiles;
import weir.results.RunFolder;
import weir.results.UnreadableRunException;
import weir.results.UnwritableDisk;

/**
 * A folder of run summaries. Each run has its own file, so that several processes can add runs at the same time.
 *
 * @param runs in the order of their time
 * @param damaged reason for each unreadable file, in one line
 */
public record History(List<HistoryEntry> runs, List<String> damaged) {
    private static final Pattern ENTRY = Pattern.compile(RunFolder.NAME + "\\.[0-9a-f]{8}\\.json");

    public History {
        runs = List.copyOf(runs);
        damaged = List.copyOf(damaged);
    }

    /** Reads the runs of an experiment. Throws {@link UnreadableRunException} if the folder is not a history. */
    public static History read(Path folder, String experiment) {
        List<History> each =
                entries(folder).stream().filter(entry -> experiment(entry).equals(experiment)).toList().parallelStream()
                        .map(History::one)
                        .toList();
        return new History(
                each.stream().flatMap(one -> one.runs.stream()).toList(),
                each.stream().flatMap(one -> one.damaged.stream()).toList());
    }

    public static SortedSet<String> experiments(Path folder) {
        SortedSet<String> names = new TreeSet<>();
        entries(folder).forEach(entry -> names.add(experiment(entry)));
        return names;
    }

    private static String experiment(Path entry) {
        return ENTRY.matcher(entry.getFileName().toString()).replaceFirst("$2");
    }

    private static History one(Path entry) {
        try {
            HistoryEntry read = HistoryEntry.read(entry);
            return entry.getFileName().toString().startsWith(read.run() + ".")
                    ? new History(List.of(read), List.of())
                    : new History(
                            List.of(), List.of(entry + ": contains the run " + read.run() + "; delete or rename it"));
        } catch (UnreadableRunException e) {
            return new History(List.of(), List.of(String.valueOf(e.getMessage())));
        }
    }

    /** Refuses an unwritable folder or one with other content; creates a missing one. */
    public static void check(Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UnreadableRunException(
                    folder + ": is a file; --history needs a new folder, or one with earlier runs");
        }
        make(folder);
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    // The folder may be in a repository.
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
            if (!names.isEmpty()
                    && names.stream().noneMatch(name -> ENTRY.matcher(name).matches())) {
                throw new UnreadableRunException(folder + ": contains '" + names.get(0)
                        + "' but no run, so it is not a history; name a new folder, or one below it");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + folder, e);
        }
    }

    private static void make(Path folder) {
        try {
            Files.delete(Files.createTempFile(Files.createDirectories(folder), ".", ".part"));
        } catch (IOException e) {
            throw new UnreadableRunException(folder + ": cannot store a run there: "
                    + UnwritableDisk.reason(e).orElse(String.valueOf(e.getMessage())));
        }
    }

    /** Adds a run or replaces it, as one atomic step. */
    public static Path keep(Path folder, HistoryEntry summary) {
        Path file = file(folder, summary, summary.identity(summary.startedAt()));
        Io.attempt("writing " + file, () -> {
            Files.createDirectories(folder);
            // The file is as readable as its folder, because others may read a history.
            Path part = folder.resolve("." + file.getFileName() + "." + UUID.randomUUID() + ".part");
            try {
                Files.writeString(part, summary.toJson() + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
            if (!summary.startedAt().isEmpty()) {
                Files.deleteIfExists(file(folder, summary, summary.identity("")));
            }
        });
        return file;
    }

    private static Path file(Path folder, HistoryEntry summary, String identity) {
        return folder.resolve(summary.run() + "." + identity + ".json");
    }

    private static List<Path> entries(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new UnreadableRunException(
                    folder + ": is not a folder; 'weir run FILE --history DIR' makes a history");
        }
        List<Path> entries = RunFiles.list(
                folder,
                file -> ENTRY.matcher(file.getFileName().toString()).matches()
                        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
        if (entries.isEmpty()) {
            throw new UnreadableRunException(
                    folder + ": contains no run; 'weir run FILE --history DIR' adds runs to a history");
        }
        return entries;
    }
}
