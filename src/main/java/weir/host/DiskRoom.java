package weir.host;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** The room on the disk behind a folder. */
public final class DiskRoom {
    /** The share of a disk that is never written to. */
    public static final double RESERVE = 0.05;

    private DiskRoom() {}

    /** The bytes that are free beside the reserve; below zero where the reserve itself is not. */
    public static long usable(Path folder) throws IOException {
        FileStore store = Files.getFileStore(folder);
        return store.getUsableSpace() - (long) (store.getTotalSpace() * RESERVE);
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
