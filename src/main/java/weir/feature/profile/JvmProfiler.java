package weir.feature.profile;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.management.JMX;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import jdk.management.jfr.FlightRecorderMXBean;
import weir.host.mbean.LocalMBeans;
import weir.io.Io;

/**
 * A profiler in one local JVM: async-profiler if its library can be loaded, otherwise the JVM's Flight Recorder. The
 * profiler is attached before the load begins, so that the profile does not contain this work.
 */
public final class JvmProfiler implements AutoCloseable {
    private static final String PERF = "perf events";

    private final long pid;
    private final List<ProfileSpec.Event> events;
    private final Path folder;
    private final List<String> notes = new ArrayList<>();
    private Recording recording;
    private Instant began = Instant.EPOCH;
    private Instant ended = Instant.EPOCH;
    private Path file = Path.of("");
    private boolean runs;

    private abstract static class Recording implements AutoCloseable {
        final Path file;
        boolean runs;

        Recording(long pid, Path folder) {
            file = folder.toAbsolutePath().resolve("profile-" + pid + ".jfr");
        }

        abstract void start() throws IOException;

        abstract Path stop() throws IOException;

        @Override
        public void close() {
            try {
                if (runs) {
                    stop();
                }
            } catch (IOException ended) {
                // The JVM has ended, and its recording with it.
            }
            Io.attempt("deleting " + file, () -> Files.deleteIfExists(file));
        }
    }

    private JvmProfiler(long pid, List<ProfileSpec.Event> events, Path folder, Recording recording) {
        this.pid = pid;
        this.events = List.copyOf(events);
        this.folder = folder;
        this.recording = recording;
    }

    /**
     * Attaches to a local JVM, and starts nothing.
     *
     * @param library file of async-profiler's library, which may not load; an empty path for none
     * @throws IOException if neither tool can attach
     */
    public static JvmProfiler attach(long pid, List<ProfileSpec.Event> events, Path folder, Path library)
            throws IOException {
        IOException refused;
        try {
            if (library.toString().isEmpty()) {
                throw new IOException("async-profiler has no library for this machine");
            }
            AsyncRecording recording = new AsyncRecording(pid, events, folder, library);
            recording.command("status");
            return new JvmProfiler(pid, events, folder, recording);
        } catch (IOException e) {
            refused = e;
        }
        try {
            JvmProfiler profiler = new JvmProfiler(pid, events, folder, FlightRecording.begin(pid, events, folder));
            profiler.fallsBack(refused);
            return profiler;
        } catch (IOException e) {
            e.addSuppressed(refused);
            throw e;
        }
    }

    private void fallsBack(IOException refused) {
        notes.add("async-profiler is unavailable (" + refused.getMessage() + "), so Flight Recorder samples instead");
    }

    /** Begins the recording, possibly early, because its stacks are selected by time later. */
    public void start(Supplier<Instant> wall) throws IOException {
        try {
            recording.start();
        } catch (IOException e) {
            if (recording instanceof FlightRecording) {
                throw e;
            }
            recording.close();
            recording = FlightRecording.begin(pid, events, folder);
            fallsBack(e);
        }
        // Only now: the fallback takes a second to begin.
        began = wall.get();
        runs = true;
    }

    public void stop(Instant now) throws IOException {
        if (runs) {
            file = recording.stop();
            runs = false;
            ended = now;
        }
    }

    public List<ProfileResult> profiles(String process, Instant from, Instant to) throws IOException {
        if (file.toString().isEmpty()) {
            notes.add("the measured phase ended before the profiler started");
            return List.of();
        }
        Instant first = from.isBefore(began) ? began : from;
        Instant last = to.isAfter(ended) ? ended : to;
        StackReader reader = new StackReader(file);
        boolean flight = recording instanceof FlightRecording;
        String engine =
                flight ? FlightRecording.ENGINE : reader.setting("engine").replace('_', ' ');
        // A timer sees no kernel stacks, even if kernel frames have names.
        boolean kernel = engine.equals(PERF) && reader.setting("kernelSymbols").equals("true");
        List<ProfileResult> profiles = new ArrayList<>();
        for (ProfileSpec.Event event : events) {
            if (flight && !FlightRecording.SEEN.contains(event)) {
                notes.add("Flight Recorder does not see waiting threads, so there is no profile by " + event.word());
                continue;
            }
            StackReader.StackCounts stacks = reader.read(event, !flight, first, last);
            ProfileResult profile = new ProfileResult(
                    process,
                    event,
                    flight ? "Flight Recorder" : "async-profiler " + ProfilerLibrary.VERSION,
                    sampling(event, engine, flight),
                    kernel && event == ProfileSpec.Event.CPU,
                    flight,
                    stacks.samples(),
                    stacks.total(),
                    stacks.sample(),
                    perUnit(event, flight),
                    Math.max(0, Duration.between(first, last).toNanos() / 1e9));
            ProfiledTrial.write(folder, profile, stacks.counts());
            profiles.add(profile);
        }
        return profiles;
    }

    private static String sampling(ProfileSpec.Event event, String engine, boolean flight) {
        return switch (event) {
            case CPU ->
                flight
                        ? engine + ", every " + FlightRecording.CPU_MILLIS + " ms for some running Java threads"
                        : engine + ", every " + AsyncRecording.CPU_MILLIS + " ms of CPU time";
            case ALLOC -> flight ? engine : "every " + AsyncRecording.ALLOC_KIB + " KiB of new objects";
            case LOCK ->
                flight
                        ? "waits for a monitor of at least " + FlightRecording.LOCK_MILLIS + " ms"
                        : "waits for monitors and locks, a sample for every " + AsyncRecording.LOCK_MICROS
                                + " µs of waiting";
            case WALL -> "each " + AsyncRecording.WALL_MILLIS + " ms";
        };
    }

    private static double perUnit(ProfileSpec.Event event, boolean flight) {
        return switch (event) {
            case CPU -> (flight ? FlightRecording.CPU_MILLIS : AsyncRecording.CPU_MILLIS) / 1e3;
            case WALL -> AsyncRecording.WALL_MILLIS / 1e3;
            case LOCK -> 1e-9;
            case ALLOC -> 1;
        };
    }

    public List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public void close() {
        recording.close();
    }

    private static final class AsyncRecording extends Recording {
        /** The interval of samples. A sample takes about 10 µs, so it costs 0.5 % of the profiled CPU time. */
        static final int CPU_MILLIS = 2;

        static final int WALL_MILLIS = 20;
        static final int ALLOC_KIB = 512;
        static final int LOCK_MICROS = 10;

        private final long pid;
        private final Path library;
        private final Path log;
        private final String asked;

        AsyncRecording(long pid, List<ProfileSpec.Event> events, Path folder, Path library) throws IOException {
            super(pid, folder);
            this.pid = pid;
            this.library = library;
            if (file.toString().contains(",") || file.toString().contains("%")) {
                throw new IOException("async-profiler cannot write to a path with a comma or a percent sign: "
                        + folder.toAbsolutePath());
            }
            this.log = file.resolveSibling("profile-" + pid + ".log");
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

        @Override
        void start() throws IOException {
            command("start,jfr" + asked + ",file=" + file);
            runs = true;
        }

        @Override
        Path stop() throws IOException {
            command("stop,jfr,file=" + file);
            runs = false;
            return file;
        }

        /** Keeps the profiler's output out of the JVM's standard output, over which workers communicate. */
        void command(String command) throws IOException {
            if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
                throw new IOException("this Java has no module jdk.attach for attaching to another JVM; use a JDK");
            }
            try {
                Agent.load(pid, library, command + ",log=" + log);
            } catch (IOException e) {
                String output = output();
                throw output.isEmpty() ? e : new IOException(output, e);
            }
        }

        private String output() {
            try {
                return Files.exists(log) ? Files.readString(log).strip().replaceAll("\\s*\n\\s*", "; ") : "";
            } catch (IOException e) {
                return "";
            }
        }

        @Override
        public void close() {
            super.close();
            Io.attempt("deleting " + log, () -> Files.deleteIfExists(log));
        }

        /** A separate class, so that a Java runtime without the module jdk.attach never loads its classes. */
        private static final class Agent {
            static void load(long pid, Path library, String options) throws IOException {
                VirtualMachine jvm = attached(pid);
                try {
                    jvm.loadAgentPath(library.toString(), options);
                } catch (AgentLoadException | AgentInitializationException e) {
                    throw new IOException(
                            "loading " + library.getFileName() + " into process " + pid + ": " + e.getMessage(), e);
                } finally {
                    jvm.detach();
                }
            }

            private static VirtualMachine attached(long pid) throws IOException {
                try {
                    return VirtualMachine.attach(Long.toString(pid));
                } catch (AttachNotSupportedException e) {
                    throw new IOException("attaching to process " + pid, e);
                }
            }
        }
    }

    /**
     * A recording by the JVM itself, if async-profiler does not load. It sees only Java code, at places where the
     * compiler left a description of the stack. Its slow start is long before the selected time.
     */
    private static final class FlightRecording extends Recording {
        static final String ENGINE = "the JVM's sampler";
        static final int CPU_MILLIS = 10;
        static final int LOCK_MILLIS = 10;
        static final Set<ProfileSpec.Event> SEEN =
                EnumSet.of(ProfileSpec.Event.CPU, ProfileSpec.Event.ALLOC, ProfileSpec.Event.LOCK);

        private static final Map<ProfileSpec.Event, Map<String, String>> SETTINGS = Map.of(
                ProfileSpec.Event.CPU,
                Map.of("jdk.ExecutionSample#enabled", "true", "jdk.ExecutionSample#period", CPU_MILLIS + " ms"),
                ProfileSpec.Event.ALLOC,
                Map.of("jdk.ObjectAllocationSample#enabled", "true", "jdk.ObjectAllocationSample#throttle", "300/s"),
                ProfileSpec.Event.LOCK,
                Map.of("jdk.JavaMonitorEnter#enabled", "true", "jdk.JavaMonitorEnter#threshold", LOCK_MILLIS + " ms"));

        private final LocalMBeans mbeans;
        private final FlightRecorderMXBean recorder;
        private final long recording;

        private FlightRecording(
                LocalMBeans mbeans, FlightRecorderMXBean recorder, long recording, long pid, Path folder) {
            super(pid, folder);
            this.mbeans = mbeans;
            this.recorder = recorder;
            this.recording = recording;
            this.runs = true;
        }

        static FlightRecording begin(long pid, List<ProfileSpec.Event> events, Path folder) throws IOException {
            Map<String, String> settings = new HashMap<>();
            events.stream()
                    .filter(SEEN::contains)
                    .forEach(event -> settings.putAll(SETTINGS.getOrDefault(event, Map.of())));
            if (settings.isEmpty()) {
                throw new IOException("Flight Recorder does not see waiting threads");
            }
            LocalMBeans mbeans = LocalMBeans.of(pid);
            try {
                FlightRecorderMXBean recorder = JMX.newMXBeanProxy(
                        mbeans.connection(),
                        ObjectName.getInstance(FlightRecorderMXBean.MXBEAN_NAME),
                        FlightRecorderMXBean.class);
                long recording = recorder.newRecording();
                recorder.setRecordingSettings(recording, settings);
                recorder.startRecording(recording);
                return new FlightRecording(mbeans, recorder, recording, pid, folder);
            } catch (MalformedObjectNameException | RuntimeException e) {
                mbeans.close();
                throw new IOException("process " + pid + ": cannot start Flight Recorder: " + e, e);
            }
        }

        @Override
        void start() {
            // The recording has been running since it was made.
        }

        @Override
        Path stop() throws IOException {
            try {
                recorder.stopRecording(recording);
                try {
                    recorder.copyTo(recording, file.toString());
                } finally {
                    recorder.closeRecording(recording);
                    runs = false;
                }
                return file;
            } catch (RuntimeException e) {
                throw new IOException("cannot write the recording of the JVM: " + e, e);
            }
        }

        @Override
        public void close() {
            super.close();
            mbeans.close();
        }
    }
}
