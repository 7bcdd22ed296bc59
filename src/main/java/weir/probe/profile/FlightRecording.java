package weir.probe.profile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.JMX;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import jdk.management.jfr.FlightRecorderMXBean;
import weir.host.mbean.LocalMBeans;
import weir.plan.ProfileSpec;

/**
 * A recording by the JVM itself, for where async-profiler does not load. It sees Java code only, and that only where the
 * compiler left a description of the stack; its first start takes a second, so it runs from the beginning, and what it saw is
 * cut by time.
 */
final class FlightRecording implements JvmProfiler.Recording {
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
    private final Path file;
    private boolean runs = true;

    private FlightRecording(LocalMBeans mbeans, FlightRecorderMXBean recorder, long recording, Path file) {
        this.mbeans = mbeans;
        this.recorder = recorder;
        this.recording = recording;
        this.file = file;
    }

    static FlightRecording begin(long pid, List<ProfileSpec.Event> events, Path folder) throws IOException {
        Map<String, String> settings = new HashMap<>();
        events.stream()
                .filter(SEEN::contains)
                .forEach(event -> settings.putAll(SETTINGS.getOrDefault(event, Map.of())));
        if (settings.isEmpty()) {
            throw new IOException("Flight Recorder sees no thread that waits");
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
            Path file = folder.toAbsolutePath().resolve("profile-" + pid + ".jfr");
            return new FlightRecording(mbeans, recorder, recording, file);
        } catch (MalformedObjectNameException | RuntimeException e) {
            mbeans.close();
            throw new IOException("process " + pid + " has no Flight Recorder that could be started: " + e, e);
        }
    }

    @Override
    public void start() {
        // It has been running since it was made.
    }

    @Override
    public Path stop() throws IOException {
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
            throw new IOException("the recording of the JVM could not be written: " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            if (runs) {
                stop();
            }
        } catch (IOException ended) {
            // With the JVM, which takes the recording with it.
        }
        mbeans.close();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + file, e);
        }
    }
}
