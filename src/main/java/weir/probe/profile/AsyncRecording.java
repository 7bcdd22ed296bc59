package weir.probe.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import weir.plan.ProfileSpec;
import weir.probe.Attachment;

/** A recording by async-profiler. */
final class AsyncRecording implements JvmProfiler.Recording {
    /** Each look takes some ten microseconds, so this costs half a percent of the CPU time that it looks at. */
    static final int CPU_MILLIS = 2;

    static final int WALL_MILLIS = 20;
    static final int ALLOC_KIB = 512;
    static final int LOCK_MICROS = 10;

    private final long pid;
    private final Path library;
    private final Path file;
    private final Path log;
    private final String asked;
    private boolean runs;

    AsyncRecording(long pid, List<ProfileSpec.Event> events, Path folder, Path library) throws IOException {
        this.pid = pid;
        this.library = library;
        Path absolute = folder.toAbsolutePath();
        if (absolute.toString().contains(",") || absolute.toString().contains("%")) {
            throw new IOException("async-profiler writes to no path with a comma or a percent sign: " + absolute);
        }
        this.file = absolute.resolve("profile-" + pid + ".jfr");
        this.log = absolute.resolve("profile-" + pid + ".log");
        StringBuilder options = new StringBuilder();
        for (ProfileSpec.Event event : events) {
            options.append(
                    switch (event) {
                        case CPU -> ",event=cpu,interval=" + CPU_MILLIS + "ms";
                        case WALL ->
                            events.contains(ProfileSpec.Event.CPU)
                                    ? ",wall=" + WALL_MILLIS + "ms"
                                    : ",event=wall,interval=" + WALL_MILLIS + "ms";
                        case ALLOC -> ",alloc=" + ALLOC_KIB + "k";
                        case LOCK -> ",lock=" + LOCK_MICROS + "us";
                    });
        }
        asked = options + ",jstackdepth=" + StackReader.DEEPEST;
    }

    /** Loads the library, which is then asked for no more than a word about itself. */
    void load() throws IOException {
        command("status");
    }

    @Override
    public void start() throws IOException {
        command("start,jfr" + asked + ",file=" + file);
        runs = true;
    }

    @Override
    public Path stop() throws IOException {
        command("stop,jfr,file=" + file);
        runs = false;
        return file;
    }

    /** Its words must not come to the standard output of the JVM, over which workers speak. */
    private void command(String command) throws IOException {
        try {
            Attachment.load(pid, library, command + ",log=" + log);
        } catch (IOException e) {
            String said = said();
            throw said.isEmpty() ? e : new IOException(said, e);
        }
    }

    private String said() {
        try {
            return Files.exists(log) ? Files.readString(log).strip().replaceAll("\\s*\n\\s*", "; ") : "";
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        try {
            if (runs) {
                stop();
            }
        } catch (IOException ended) {
            // With the JVM, which takes the profiler with it.
        }
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + file, e);
        }
    }
}
