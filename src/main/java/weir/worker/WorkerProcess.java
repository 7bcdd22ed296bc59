package weir.worker;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import weir.host.Children;
import weir.host.Command;
import weir.host.JavaRuntime;
import weir.host.LocalChild;
import weir.host.Shield;
import weir.io.Io;

/** The process of a worker on this machine, with its limits and its class archive. */
public record WorkerProcess(LocalChild child, WorkerClassArchive classes, Duration ending, Shield shield)
        implements AutoCloseable {
    private static final Duration ENDING = Duration.ofSeconds(2);
    private static final Duration WRITING = Duration.ofSeconds(30);

    public static WorkerProcess start(Children children, WorkerJvm jvm, String name, Path log) {
        WorkerClassArchive classes = WorkerClassArchive.ours();
        Duration ending = classes.makes() ? WRITING : ENDING;
        List<String> flags = new ArrayList<>(classes.flags());
        // Libraries unpack native code to this folder, and leave it if they are killed.
        flags.add("-Djava.io.tmpdir=" + children.temporary());
        Shield shield = children.shield(
                name, jvm.within(), jvm.share(), log.toAbsolutePath().resolveSibling(""));
        LocalChild child = children.start(new Command(name, jvm.command(flags), log, Command.Output.READ, shield));
        return new WorkerProcess(child, classes, ending, shield);
    }

    /** Leaves no process; a process whose standard input has ended may end by itself. */
    @Override
    public void close() {
        if (child.endsWithin(ending)) {
            classes.keep();
        } else {
            child.kill();
        }
        child.close();
        shield.close();
    }

    /**
     * The archive of a worker's loaded classes, which saves a second of CPU time at each start. The first worker of a
     * build writes it at its end.
     */
    record WorkerClassArchive(Path archive, Path made) {
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
            // Warnings about classes that cannot be archived do not belong in a worker's log.
            return List.of(
                    makes() ? "-XX:ArchiveClassesAtExit=" + made : "-XX:SharedArchiveFile=" + archive,
                    "-Xlog:cds*=off:stderr");
        }

        boolean makes() {
            return !archive.toString().isEmpty() && !Files.isRegularFile(archive);
        }

        void keep() {
            if (Files.isRegularFile(made)) {
                Io.attempt("keeping " + archive, () -> {
                    var unused = Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
                });
            }
        }
    }
}
