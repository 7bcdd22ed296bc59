package weir.probe.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import weir.plan.ProfileSpec;

/**
 * A profiler in one JVM of this machine: async-profiler where its library can be loaded, else the JVM's own recorder.
 * Attached before the load begins, so that nothing of attaching falls into what is profiled.
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

    /** A way to record a JVM. */
    interface Recording extends AutoCloseable {
        void start() throws IOException;

        /** Ends it and writes its file. */
        Path stop() throws IOException;

        /** Takes away what is left of it. */
        @Override
        void close();
    }

    private JvmProfiler(long pid, List<ProfileSpec.Event> events, Path folder, Recording recording) {
        this.pid = pid;
        this.events = List.copyOf(events);
        this.folder = folder;
        this.recording = recording;
    }

    /**
     * Attaches to a JVM of this machine, and starts nothing.
     *
     * @param folder where it may write while it records; nothing of it is left there
     * @param library the file of async-profiler's library, which may be one that does not load; an empty path for none
     * @throws IOException when neither way is open
     */
    public static JvmProfiler attach(long pid, List<ProfileSpec.Event> events, Path folder, Path library)
            throws IOException {
        IOException refused;
        try {
            if (library.toString().isEmpty()) {
                throw new IOException("there is no library of async-profiler for this machine");
            }
            AsyncRecording recording = new AsyncRecording(pid, events, folder, library);
            recording.load();
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
        notes.add(
                "async-profiler could not be used (" + refused.getMessage() + "), so Flight Recorder samples instead");
    }

    /** The recording begins; what it saw is cut by time later, so it may begin early. */
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

    /** The recording ends. */
    public void stop(Instant now) throws IOException {
        if (runs) {
            file = recording.stop();
            runs = false;
            ended = now;
        }
    }

    /** The profiles of the part of this time that was recorded; none of one that never began. */
    public List<Profile> profiles(Instant from, Instant to) throws IOException {
        if (file.toString().isEmpty()) {
            notes.add("the phase was over before profiling began");
            return List.of();
        }
        Instant first = from.isBefore(began) ? began : from;
        Instant last = to.isAfter(ended) ? ended : to;
        StackReader reader = new StackReader(file);
        boolean flight = recording instanceof FlightRecording;
        String engine =
                flight ? FlightRecording.ENGINE : reader.setting("engine").replace('_', ' ');
        // A timer sees no stack of the kernel, whatever names there would be.
        boolean kernel = engine.equals(PERF) && reader.setting("kernelSymbols").equals("true");
        List<Profile> profiles = new ArrayList<>();
        for (ProfileSpec.Event event : events) {
            if (flight && !FlightRecording.SEEN.contains(event)) {
                notes.add("Flight Recorder sees no thread that waits, so there is no profile by " + event.word());
                continue;
            }
            profiles.add(new Profile(
                    event,
                    flight ? "Flight Recorder" : "async-profiler " + ProfilerLibrary.VERSION,
                    woken(event, engine, flight),
                    kernel && event == ProfileSpec.Event.CPU,
                    flight,
                    perUnit(event, flight),
                    Math.max(0, Duration.between(first, last).toNanos() / 1e9),
                    reader.read(event, !flight, first, last)));
        }
        return profiles;
    }

    private static String woken(ProfileSpec.Event event, String engine, boolean flight) {
        return switch (event) {
            case CPU ->
                flight
                        ? engine + ", each " + FlightRecording.CPU_MILLIS + " ms at a few running Java threads"
                        : engine + ", each " + AsyncRecording.CPU_MILLIS + " ms of CPU time";
            case ALLOC -> flight ? engine : "every " + AsyncRecording.ALLOC_KIB + " KiB of new objects";
            case LOCK ->
                flight
                        ? "waits for a monitor of at least " + FlightRecording.LOCK_MILLIS + " ms"
                        : "waits for monitors and locks, one whenever " + AsyncRecording.LOCK_MICROS
                                + " µs have been waited";
            case WALL -> "each " + AsyncRecording.WALL_MILLIS + " ms";
        };
    }

    /** The seconds or bytes of one unit. */
    private static double perUnit(ProfileSpec.Event event, boolean flight) {
        return switch (event) {
            case CPU -> (flight ? FlightRecording.CPU_MILLIS : AsyncRecording.CPU_MILLIS) / 1e3;
            case WALL -> AsyncRecording.WALL_MILLIS / 1e3;
            case LOCK -> 1e-9;
            case ALLOC -> 1;
        };
    }

    /** The reasons why something was not as it was asked for. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Takes away what is left of it; a JVM that has ended has taken all with it. */
    @Override
    public void close() {
        recording.close();
    }
}
