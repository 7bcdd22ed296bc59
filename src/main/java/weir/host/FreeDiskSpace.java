package weir.host;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import weir.io.Io;

/**
 * The free space on the disk of an existing folder.
 *
 * @param usable the free bytes minus a reserve; may be negative
 */
public record FreeDiskSpace(Path folder, long usable) {
    /** The share of a disk that Weir leaves free, at most {@link #MOST_RESERVED} bytes. */
    private static final double RESERVE = 0.05;

    private static final long MOST_RESERVED = 4L << 30;
    private static final long LINE = 1 << 10;

    public static FreeDiskSpace behind(Path folder) {
        Path existing = existing(folder);
        return Io.attempt("reading the free space of " + existing, () -> {
            FileStore store = Files.getFileStore(existing);
            long reserve = Math.min(MOST_RESERVED, (long) (store.getTotalSpace() * RESERVE));
            return new FreeDiskSpace(existing, store.getUsableSpace() - reserve);
        });
    }

    /** True if the disk has no space for one log line; false if the disk cannot be queried. */
    public static boolean full(Path path) {
        try {
            return Files.getFileStore(existing(path)).getUsableSpace() < LINE;
        } catch (IOException gone) {
            return false;
        }
    }

    public static Path existing(Path path) {
        Path at = path.toAbsolutePath();
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }
}
