package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import weir.host.kernel.KernelFiles;
import weir.io.Io;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** The folders that Weir created and may delete. */
public final class OwnedFolders {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final long PAUSE_NANOS = 5_000_000;

    /** The marker file in each folder that Weir created only as a parent of its own folder. */
    private static final String MADE = ".made-by-weir";

    private OwnedFolders() {}

    /** Creates a folder and its missing parents. {@link #delete} also deletes these parents once they are empty. */
    public static void make(Path folder) {
        Io.attempt("making " + folder, () -> {
            Path above = folder.toAbsolutePath().getParent();
            if (above != null && !Files.isDirectory(above)) {
                make(above);
                Files.write(above.resolve(MADE), new byte[0]);
            }
            Files.createDirectories(folder);
        });
    }

    /**
     * Deletes the folder and its content, but not the targets of links; true if it existed. Other processes may delete
     * it or write to it at the same time.
     */
    public static boolean delete(Path folder) {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        TimeLimit deadline = MachineClock.within(TIMEOUT);
        while (true) {
            try {
                deleteAll(folder);
                deleteAbove(folder);
                return true;
            } catch (DirectoryNotEmptyException e) {
                if (deadline.passed()) {
                    throw new UncheckedIOException("deleting " + folder, e);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (IOException e) {
                throw new UncheckedIOException("deleting " + folder, e);
            }
        }
    }

    private static void deleteAbove(Path folder) throws IOException {
        Path above = folder.toAbsolutePath().getParent();
        if (above == null || !Files.isRegularFile(above.resolve(MADE))) {
            return;
        }
        try (Stream<Path> others = Files.list(above)) {
            if (others.count() > 1) {
                return;
            }
            Files.delete(above.resolve(MADE));
            Files.delete(above);
        } catch (DirectoryNotEmptyException inUse) {
            // Another process has just made its own folder there, and will delete this parent folder.
            Files.write(above.resolve(MADE), new byte[0]);
            return;
        } catch (NoSuchFileException byAnother) {
            return;
        }
        deleteAbove(above);
    }

    private static void deleteAll(Path file) throws IOException {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            try {
                for (Path entry : KernelFiles.entries(file, any -> true)) {
                    deleteAll(entry);
                }
            } catch (NoSuchFileException byAnother) {
                return;
            }
        }
        Files.deleteIfExists(file);
    }
}
