package weir.probe.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/** The native library of async-profiler, which a jar carries and a JVM can only load from a file. */
public final class ProfilerLibrary {
    static final String VERSION = "4.5";

    private static final Map<String, String> FOLDERS = Map.of("amd64", "linux-x64", "aarch64", "linux-arm64");
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private ProfilerLibrary() {}

    /**
     * The library for this machine in a folder of ours, written there unless the same bytes are there already.
     *
     * @throws IOException when there is none for this machine, or others could put one of their own in its place
     */
    public static Path in(Path cache) throws IOException {
        return in(cache, System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    static Path in(Path cache, String system, String architecture) throws IOException {
        String folder = system.equals("Linux") ? FOLDERS.getOrDefault(architecture, "") : "";
        try (InputStream jar = ProfilerLibrary.class.getResourceAsStream("/" + folder + "/libasyncProfiler.so")) {
            if (folder.isEmpty() || jar == null) {
                throw new IOException("async-profiler has no library for " + system + " on " + architecture);
            }
            return in(cache, jar.readAllBytes());
        }
    }

    private static Path in(Path cache, byte[] library) throws IOException {
        Path folder = Files.createDirectories(cache.resolve("profiler"));
        own(folder);
        String hash = hash(library);
        Path file = folder.resolve("async-profiler-" + VERSION + "-" + hash.substring(0, 16) + ".so");
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && hash(Files.readAllBytes(file)).equals(hash)) {
            own(file);
            return file;
        }
        Path part = Files.createTempFile(folder, "async-profiler", ".part");
        try {
            Files.write(part, library);
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("r-x------"));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + ": is in the way of the profiler's library", e);
        } finally {
            Files.deleteIfExists(part);
        }
        return file;
    }

    /** Code is loaded from there into JVMs. */
    private static void own(Path path) throws IOException {
        boolean others = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).stream()
                .anyMatch(OTHERS_WRITE::contains);
        if (others) {
            throw new IOException(path + ": others may write there, so no library is loaded from it; chmod go-w does");
        }
    }

    private static String hash(byte[] library) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(library));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
