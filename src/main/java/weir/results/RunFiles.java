package weir.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import weir.io.Io;

/** The files of a run. Weir writes each file completely or not at all, and trusts no file that it reads. */
public final class RunFiles {
    private RunFiles() {}

    /** Reads a file; throws {@link UnreadableRunException} if the file or its folder is unreadable. */
    public static <T> T reading(Path file, Io.Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException e) {
            throw new UnreadableRunException(file + ": cannot be read: " + e.getMessage());
        }
    }

    public static List<Path> list(Path folder, Predicate<Path> wanted) {
        return reading(folder, () -> {
            try (Stream<Path> files = Files.list(folder)) {
                return files.filter(wanted).sorted().toList();
            }
        });
    }

    /** Returns the file. Rejects links, devices, and pipes, which may be endless. */
    public static Path own(Path file) {
        if (Files.isSymbolicLink(file)) {
            throw new UnreadableRunException(file + ": is a link; a run folder must have regular files");
        }
        if (Files.exists(file) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new UnreadableRunException(file + ": is not a regular file");
        }
        return file;
    }

    static Path ownFolder(Path folder) {
        if (Files.isSymbolicLink(folder)) {
            throw new UnreadableRunException(folder + ": is a link; a run folder must have regular folders");
        }
        return folder;
    }

    static Path part(Path whole) {
        return whole.resolveSibling(whole.getFileName() + ".part");
    }

    static void put(Path file, String text) {
        Path part = part(file);
        Io.attempt("writing " + file, () -> {
            // An existing file may be a link to a file outside of the run.
            Files.deleteIfExists(part);
            Files.writeString(part, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        });
    }

    public static void put(Path file, Object value) {
        put(file, ResultJson.write(value));
    }
}
