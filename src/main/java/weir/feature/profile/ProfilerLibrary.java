package weir.feature.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import weir.io.Io;
import weir.plan.read.Hash;

/** The native library of async-profiler. A jar contains it, but a JVM can load it only from a file. */
public final class ProfilerLibrary {
    static final String VERSION = "4.5";
    private static final Map<String, String> FOLDERS = Map.of("amd64", "linux-x64", "aarch64", "linux-arm64");
    private static final int OTHERS_WRITE = 0002;
    private static final int GROUP_WRITES = 0020;
    private static final int STICKY = 01000;

    private ProfilerLibrary() {}

    /**
     * Writes the library for this machine to a folder of Weir, unless it contains the same bytes already.
     *
     * @throws IOException if there is no library for this machine, or if other users could replace the file
     */
    public static Path in(Path cache) throws IOException {
        String system = System.getProperty("os.name", "");
        return in(cache, system, System.getProperty("os.arch", ""), FilePermissions::of);
    }

    record FilePermissions(int owner, int group, int mode) {
        interface Reader {
            FilePermissions of(Path path) throws IOException;
        }

        static FilePermissions of(Path path) throws IOException {
            int owner = (int) Files.getAttribute(path, "unix:uid");
            int group = (int) Files.getAttribute(path, "unix:gid");
            return new FilePermissions(owner, group, (int) Files.getAttribute(path, "unix:mode"));
        }

        /** True if users besides the owner may write. A group with one member counts as its owner. */
        private boolean others() {
            return (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && group != owner);
        }
    }

    static Path in(Path cache, String system, String architecture, FilePermissions.Reader rights) throws IOException {
        String folder = system.equals("Linux") ? FOLDERS.getOrDefault(architecture, "") : "";
        try (InputStream jar = ProfilerLibrary.class.getResourceAsStream("/" + folder + "/libasyncProfiler.so")) {
            if (folder.isEmpty() || jar == null) {
                throw new IOException("async-profiler has no library for " + system + " on " + architecture);
            }
            return in(cache, jar.readAllBytes(), rights);
        }
    }

    private static Path in(Path cache, byte[] library, FilePermissions.Reader rights) throws IOException {
        Path folder = Files.createDirectories(cache).resolve("profiler");
        if (Files.notExists(folder)) {
            Files.createDirectory(folder, Io.OWN_FOLDER);
        }
        own(folder, rights);
        String hash = Hash.of(library);
        Path file = folder.resolve("async-profiler-" + VERSION + "-" + hash.substring(0, 16) + ".so");
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Hash.of(file).equals(hash)) {
            own(file, rights);
            return file;
        }
        Path part = Files.createTempFile(folder, "async-profiler", ".part");
        try {
            Files.write(part, library);
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("r-x------"));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + ": is where the profiler's library must be; remove it", e);
        } finally {
            Files.deleteIfExists(part);
        }
        return file;
    }

    /** Refuses a path that other users than this user and root can write, because JVMs load code from it. */
    private static void own(Path path, FilePermissions.Reader rights) throws IOException {
        int us = rights.of(Path.of("/proc/self")).owner();
        Path real = path.toRealPath();
        for (Path at = real; at != null; at = at.getParent()) {
            FilePermissions here = rights.of(at);
            // In a folder with the sticky bit, such as /tmp, users cannot replace files of others.
            boolean kept = (here.mode() & STICKY) != 0 && !at.equals(real);
            String why = here.owner() != us && here.owner() != 0
                    ? "belongs to another user (" + here.owner() + ")"
                    : here.others() && !kept ? "other users may write there" : "";
            if (!why.isEmpty()) {
                throw new IOException(at + ": " + why + ", so no library is loaded from " + path
                        + "; correct it with chmod go-w or chown, or set another XDG_CACHE_HOME");
            }
        }
    }
}
