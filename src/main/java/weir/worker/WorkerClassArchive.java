package weir.worker;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import weir.host.JavaRuntime;

/**
 * The archive of a worker's loaded classes, which saves a second of CPU at each start. The first worker of a build writes
 * it at its end; it is a cache, and without it everything works.
 */
final class WorkerClassArchive {
    private final Path archive;
    private final Path made;

    private WorkerClassArchive(Path archive, Path made) {
        this.archive = archive;
        this.made = made;
    }

    /** The one in this folder for such a class path; it is kept for one that is a single jar, as the JVM asks. */
    static WorkerClassArchive in(Path folder, String classPath, JavaRuntime runtime) {
        boolean single = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
        if (!single || folder.toString().isEmpty() || !Files.isWritable(folder) || !runtime.archivesClasses()) {
            return new WorkerClassArchive(Path.of(""), Path.of(""));
        }
        String build = classPath.substring(classPath.lastIndexOf('/') + 1, classPath.length() - ".jar".length());
        String name = build + ".worker-" + System.getProperty("java.version");
        return new WorkerClassArchive(
                folder.resolve(name + ".jsa"),
                folder.resolve(name + "." + ProcessHandle.current().pid() + ".jsa"));
    }

    /** The launcher says where such archives are kept; started in another way, we keep none. */
    static WorkerClassArchive ours() {
        return in(
                Path.of(System.getProperty("weir.archives", "")),
                System.getProperty("java.class.path"),
                JavaRuntime.own());
    }

    List<String> flags() {
        if (archive.toString().isEmpty()) {
            return List.of();
        }
        // What cannot be archived is no news to the reader of a worker's log.
        return List.of(
                makes() ? "-XX:ArchiveClassesAtExit=" + made : "-XX:SharedArchiveFile=" + archive,
                "-Xlog:cds*=off:stderr");
    }

    /** True when a worker that starts with {@link #flags} has an archive to write at its end. */
    boolean makes() {
        return !archive.toString().isEmpty() && !Files.isRegularFile(archive);
    }

    /** A worker that had one to write is gone. */
    void keep() {
        try {
            if (Files.isRegularFile(made)) {
                Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("keeping " + archive, e);
        }
    }
}
