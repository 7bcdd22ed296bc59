package weir.probe.brokerhost;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Mounts;

/**
 * A folder in which a broker keeps its partitions, and the file system that holds it.
 *
 * @param options those of the mount and of the file system
 * @param segments the log segments in it
 */
public record LogFolder(
        String path, String type, List<String> options, long partitions, long segments, long bytes, long usableBytes) {
    public LogFolder {
        options = List.copyOf(options);
    }

    /** @throws IOException when the broker's folder is not for us to read, or is not there */
    static LogFolder read(KernelFiles files, String path) throws IOException {
        Path folder = files.at(path).toRealPath();
        Mounts.Mount mount = Mounts.of(files)
                .holding(Path.of("/").resolve(files.root().toRealPath().relativize(folder)));
        List<Path> partitions = FolderEntries.of(folder, LogFolder::partition);
        long segments = 0;
        for (Path partition : partitions) {
            segments += segments(partition);
        }
        FileStore store = Files.getFileStore(folder);
        return new LogFolder(
                path,
                mount.type(),
                Stream.concat(mount.here().stream(), mount.options().stream())
                        .distinct()
                        .toList(),
                partitions.size(),
                segments,
                store.getTotalSpace(),
                store.getUsableSpace());
    }

    /** True for {@code orders-7}. */
    private static boolean partition(Path folder) {
        return String.valueOf(folder.getFileName()).matches(".+-\\d+") && Files.isDirectory(folder);
    }

    private static long segments(Path partition) throws IOException {
        try {
            return FolderEntries.of(partition, "*.log").size();
        } catch (NoSuchFileException | NotDirectoryException deleted) {
            // A topic may be deleted meanwhile.
            return 0;
        }
    }
}
