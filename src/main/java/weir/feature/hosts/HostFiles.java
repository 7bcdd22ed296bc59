package weir.feature.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import weir.feature.hosts.HostCall.Offered;
import weir.feature.hosts.HostCall.Wanted;
import weir.host.Journal;
import weir.plan.read.Hash;

/**
 * The conductor's files on this host, each at its original path below a folder of the run. Files that may be kept are
 * in a cache, by their hash, and the folder only has links to them.
 */
final class HostFiles implements AutoCloseable {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private final Path cache;
    private final Path root;
    private final Journal journal;
    private final Set<Path> parts = new HashSet<>();

    /**
     * @param cache of this user, for all runs
     * @param root only this user's, and only for this run
     * @param journal of files that have come in part, which are left when this process is killed
     */
    HostFiles(Path cache, Path root, Journal journal) {
        this.cache = cache;
        this.root = root;
        this.journal = journal;
    }

    Path root() {
        return root;
    }

    synchronized Wanted wanted(List<Offered> offer) throws IOException {
        List<Integer> wanted = new ArrayList<>();
        for (int i = 0; i < offer.size(); i++) {
            Offered file = offer.get(i);
            check(file);
            if (is(at(file), file)) {
                link(file);
            } else {
                wanted.add(i);
            }
        }
        return new Wanted(root, wanted);
    }

    private static boolean is(Path at, Offered file) throws IOException {
        try {
            return Files.size(at) == file.size() && Hash.of(at).equals(file.sha256());
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    /** Takes in the next piece of a file; true once the file is whole. */
    synchronized boolean take(Offered file, long from, byte[] piece) throws IOException {
        check(file);
        Path at = at(file);
        Path part = at.resolveSibling(
                at.getFileName() + "." + ProcessHandle.current().pid());
        if (from == 0) {
            folder(at.resolveSibling(""));
            Files.deleteIfExists(part);
            journal.folder(part);
            Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            parts.add(part);
        }
        Files.write(part, piece, StandardOpenOption.APPEND);
        if (piece.length > 0 && from + piece.length < file.size()) {
            return false;
        }
        parts.remove(part);
        if (!is(part, file)) {
            journal.delete(part);
            throw new IOException("'" + file.path() + "' has changed while it was sent");
        }
        Files.move(part, at, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        journal.folderGone(part);
        link(file);
        return true;
    }

    private void link(Offered file) throws IOException {
        if (file.kept()) {
            Path link = Path.of(root + file.path());
            folder(link.resolveSibling(""));
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, at(file).toAbsolutePath());
        }
    }

    private static void folder(Path folder) throws IOException {
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static void check(Offered file) throws IOException {
        Path path = Path.of(file.path());
        if (!SHA256.matcher(file.sha256()).matches()
                || !path.isAbsolute()
                || !path.normalize().equals(path)) {
            throw new IOException("'" + file.path() + "' is no place for a file");
        }
    }

    private Path at(Offered file) {
        return file.kept() ? cache.resolve(file.sha256()) : Path.of(root + file.path());
    }

    @Override
    public synchronized void close() {
        parts.forEach(journal::delete);
        parts.clear();
    }
}
