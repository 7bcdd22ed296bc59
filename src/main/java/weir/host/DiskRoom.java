package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The room on the disk behind a folder.
 *
 * @param folder that is there
 * @param usable the bytes that are free beside a reserve; below zero where the reserve itself is not
 */
public record DiskRoom(Path folder, long usable) {
    /** The share of a disk that is never written to. */
    public static final double RESERVE = 0.05;

    /** The room behind a folder, or behind the nearest above it that is there. */
    public static DiskRoom behind(Path folder) {
        Path existing = existing(folder);
        try {
            FileStore store = Files.getFileStore(existing);
            return new DiskRoom(existing, store.getUsableSpace() - (long) (store.getTotalSpace() * RESERVE));
        } catch (IOException e) {
            throw new UncheckedIOException("asking for the free space behind " + existing, e);
        }
    }

    /** The folder itself, or the nearest above it that is there. */
    public static Path existing(Path path) {
        Path at = path.toAbsolutePath();
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }
}
