package weir.worker.agent;

import java.io.DataInput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import weir.plan.read.Hash;
import weir.worker.agent.HostCall.Offered;

/**
 * The conductor's files on this host, each at its original path below a folder of the run. Files that may be kept are
 * in a cache, by their hash, and the folder only has links to them.
 */
final class HostFiles implements AutoCloseable {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private final Path cache;
    private final Path root;
    private final Map<Integer, Arrival> arrivals = new HashMap<>();

    private static final class Arrival {
        final List<Offered> offer;
        final List<Integer> wanted;
        int index = -1;
        Path part = Path.of("");
        OutputStream out = OutputStream.nullOutputStream();
        MessageDigest digest = Hash.digest();

        @Nullable IOException failure;

        Arrival(List<Offered> offer, List<Integer> wanted) {
            this.offer = offer;
            this.wanted = new ArrayList<>(wanted);
        }
    }

    /**
     * @param cache of this user, for all runs
     * @param root only this user's, and only for this run
     */
    HostFiles(Path cache, Path root) {
        this.cache = cache;
        this.root = root;
    }

    Path root() {
        return root;
    }

    synchronized List<Integer> offered(int number, List<Offered> offer) throws IOException {
        List<Integer> wanted = new ArrayList<>();
        for (int i = 0; i < offer.size(); i++) {
            Offered file = offer.get(i);
            check(file);
            Path at = file.kept() ? kept(file) : place(file);
            if (!is(at, file)) {
                wanted.add(i);
            } else if (file.kept()) {
                link(file);
            }
        }
        arrivals.put(number, new Arrival(offer, wanted));
        return wanted;
    }

    private static boolean is(Path at, Offered file) throws IOException {
        try {
            return Files.size(at) == file.size() && Hash.of(at).equals(file.sha256());
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    /** Takes in a piece; {@link #placed} reports a piece that could not be stored. */
    synchronized void piece(DataInput in) throws IOException {
        int number = in.readInt();
        int index = in.readInt();
        boolean last = in.readBoolean();
        byte[] bytes = new byte[Math.min(in.readInt(), AgentFrames.PIECE)];
        in.readFully(bytes);
        Arrival arrival = arrivals.get(number);
        if (arrival == null || arrival.failure != null) {
            return;
        }
        try {
            piece(arrival, number, index, bytes, last);
        } catch (IOException e) {
            arrival.failure = e;
        }
    }

    private void piece(Arrival arrival, int number, int index, byte[] bytes, boolean last) throws IOException {
        if (arrival.wanted.isEmpty() || arrival.wanted.get(0) != index) {
            throw new IOException("a piece of a file that was not asked for");
        }
        Offered file = arrival.offer.get(index);
        if (arrival.index != index) {
            begin(arrival, index, file, number);
        }
        arrival.out.write(bytes);
        if (last) {
            arrival.out.close();
            if (!HexFormat.of().formatHex(arrival.digest.digest()).equals(file.sha256())) {
                Files.delete(arrival.part);
                throw new IOException("'" + file.path() + "' has changed while it was sent");
            }
            Files.move(
                    arrival.part,
                    file.kept() ? kept(file) : place(file),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            if (file.kept()) {
                link(file);
            }
            arrival.wanted.remove(0);
        }
    }

    synchronized Path placed(int number) throws IOException {
        Arrival arrival = arrivals.get(number);
        if (arrival != null && arrival.failure != null) {
            throw arrival.failure;
        }
        if (arrival == null || !arrival.wanted.isEmpty()) {
            throw new IOException("files were offered that did not come");
        }
        return root;
    }

    private void begin(Arrival arrival, int index, Offered file, int number) throws IOException {
        Path at = file.kept() ? kept(file) : place(file);
        folder(at.resolveSibling(""));
        arrival.index = index;
        arrival.digest = Hash.digest();
        arrival.part = at.resolveSibling(
                at.getFileName() + "." + ProcessHandle.current().pid() + "-" + number + "-" + index);
        Files.deleteIfExists(arrival.part);
        Files.createFile(
                arrival.part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        arrival.out = new DigestOutputStream(Files.newOutputStream(arrival.part), arrival.digest);
    }

    private void link(Offered file) throws IOException {
        Path at = place(file);
        folder(at.resolveSibling(""));
        Files.deleteIfExists(at);
        Files.createSymbolicLink(at, kept(file).toAbsolutePath());
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

    private Path kept(Offered file) {
        return cache.resolve(file.sha256());
    }

    private Path place(Offered file) {
        return Path.of(root + file.path());
    }

    @Override
    public synchronized void close() {
        for (Arrival arrival : arrivals.values()) {
            try {
                arrival.out.close();
                if (!arrival.part.toString().isEmpty()) {
                    Files.deleteIfExists(arrival.part);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("deleting " + arrival.part, e);
            }
        }
        arrivals.clear();
    }
}
