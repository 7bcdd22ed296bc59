package weir.feature.profile;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.cluster.Broker;
import weir.run.lab.TrialExtension;

/** The profilers of a profiled trial, and the profiles that they write. */
public final class TrialProfiles implements TrialExtension {
    private final Stage stage;
    private final List<String> asked;
    private final Profilers profilers;

    private TrialProfiles(Stage stage, SortedMap<String, Long> jvms, Profilers profilers) {
        this.stage = stage;
        this.asked = List.copyOf(jvms.keySet());
        this.profilers = profilers;
    }

    /** Profilers attached to JVMs. A failed profiler is a note and does not end the trial. */
    public interface Profilers extends AutoCloseable {
        interface Maker {
            Profilers attach(SortedMap<String, Long> jvms, List<ProfileSpec.Event> events, Path folder);
        }

        void begin();

        void end(Instant from, Instant to);

        List<ProfileResult> profiles();

        List<String> notes();

        @Override
        void close();
    }

    /** Attaches profilers to the processes of a profiled trial; empty for any other trial. */
    public static List<TrialExtension> attach(Stage stage, Profilers.Maker maker) {
        if (!stage.trial().profiled()) {
            return List.of();
        }
        ProfileSpec spec = ProfileSpec.of(stage.experiment()).get(0);
        SortedMap<String, Long> jvms = jvms(spec, stage);
        List<ProfileSpec.Event> events = spec.what().stream().sorted().toList();
        return List.of(new TrialProfiles(stage, jvms, maker.attach(jvms, events, stage.folder())));
    }

    private static SortedMap<String, Long> jvms(ProfileSpec spec, Stage stage) {
        SortedMap<String, Long> jvms = new TreeMap<>();
        if (spec.of(ProfileSpec.Role.BROKERS)) {
            stage.cluster().brokers().stream()
                    .filter(Broker::here)
                    .forEach(broker -> jvms.put("broker-" + broker.id(), broker.pid()));
        }
        if (spec.of(ProfileSpec.Role.WORKERS)) {
            List<Long> pids = stage.worker().pids();
            for (int i = 0; i < pids.size(); i++) {
                jvms.put(pids.size() == 1 ? "worker" : "worker-" + (i + 1), pids.get(i));
            }
        }
        if (spec.of(ProfileSpec.Role.BRIDGE)) {
            jvms.putAll(stage.bridge().jvms());
        }
        return jvms;
    }

    @Override
    public void begin() {
        profilers.begin();
    }

    @Override
    public void end(Instant from, Instant to) {
        profilers.end(from, to);
    }

    @Override
    public List<String> taken() {
        List<ProfileResult> profiles = profilers.profiles();
        ProfiledTrial.write(stage.folder(), new ProfiledTrial.Contents(asked, profiles, profilers.notes()));
        return profilers.notes();
    }

    @Override
    public void close() {
        profilers.close();
    }
}
