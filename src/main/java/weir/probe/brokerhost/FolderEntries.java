package weir.probe.brokerhost;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The entries of a folder that may go while it is read, as that of a process or of a partition. */
final class FolderEntries {
    private FolderEntries() {}

    /** The entries whose names match. */
    static List<Path> of(Path folder, String glob) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            return all(stream);
        }
    }

    /** The entries that pass. */
    static List<Path> of(Path folder, DirectoryStream.Filter<Path> filter) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, filter)) {
            return all(stream);
        }
    }

    static List<Path> all(DirectoryStream<Path> stream) throws IOException {
        List<Path> entries = new ArrayList<>();
        try {
            stream.forEach(entries::add);
        } catch (DirectoryIteratorException e) {
            // An iterator can throw nothing that is checked, and wraps it.
            throw e.getCause();
        }
        return entries;
    }
}
