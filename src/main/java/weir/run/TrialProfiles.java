package weir.run;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.measure.Count;
import weir.plan.Experiment;
import weir.plan.ProfileSpec;
import weir.results.profile.ProfileResult;
import weir.results.profile.ProfiledTrial;
import weir.results.value.Figures;
import weir.results.value.TrialResult;
import weir.run.lab.Lab;
import weir.worker.Bridge;
import weir.worker.Worker;

/**
 * The profilers of a trial, which record from before its warm-up to the end of its measured phase; none in a trial
 * without profiles.
 */
final class TrialProfiles implements AutoCloseable {
    private final List<String> asked;
    private final List<Lab.Profiling> profilings;

    private TrialProfiles(List<String> asked, List<Lab.Profiling> profilings) {
        this.asked = List.copyOf(asked);
        this.profilings = List.copyOf(profilings);
    }

    record Taken(List<String> asked, List<ProfileResult> profiles, List<String> notes) {
        static final Taken NONE = new Taken(List.of(), List.of(), List.of());

        Taken {
            asked = List.copyOf(asked);
            profiles = List.copyOf(profiles);
            notes = List.copyOf(notes);
        }

        ProfiledTrial.Contents contents(TrialResult result) {
            long records = Math.max(count(result.figures(), Count.ACKED), count(result.figures(), Count.RECEIVED));
            return new ProfiledTrial.Contents(result.seconds(), records, asked, profiles, notes);
        }

        private static long count(Figures figures, Count count) {
            Long counted = figures.count(count);
            return counted == null ? 0 : counted;
        }
    }

    static TrialProfiles attach(Experiment experiment, Lab lab, TrialPhases.Stage stage, Path folder) {
        ProfileSpec asked = experiment.profiles().get(0);
        SortedMap<String, Long> jvms = jvms(asked, stage.cluster(), stage.worker(), stage.bridge());
        return new TrialProfiles(List.copyOf(jvms.keySet()), List.of(lab.profile(jvms, asked.events(), folder)));
    }

    static TrialProfiles none() {
        return new TrialProfiles(List.of(), List.of());
    }

    private static SortedMap<String, Long> jvms(ProfileSpec asked, Cluster cluster, Worker worker, Bridge bridge) {
        SortedMap<String, Long> jvms = new TreeMap<>();
        if (asked.of(ProfileSpec.Role.BROKERS)) {
            cluster.brokers().stream()
                    .filter(Broker::here)
                    .forEach(broker -> jvms.put("broker-" + broker.id(), broker.pid()));
        }
        if (asked.of(ProfileSpec.Role.WORKERS)) {
            List<Long> pids = worker.pids();
            for (int i = 0; i < pids.size(); i++) {
                jvms.put(pids.size() == 1 ? "worker" : "worker-" + (i + 1), pids.get(i));
            }
        }
        if (asked.of(ProfileSpec.Role.BRIDGE)) {
            jvms.putAll(bridge.jvms());
        }
        return jvms;
    }

    void begin() {
        profilings.forEach(Lab.Profiling::begin);
    }

    void end(Instant from, Instant to) {
        profilings.forEach(profiling -> profiling.end(from, to));
    }

    Taken taken() {
        List<ProfileResult> profiles = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Lab.Profiling profiling : profilings) {
            profiles.addAll(profiling.profiles());
            notes.addAll(profiling.notes());
        }
        return new Taken(asked, profiles, notes);
    }

    @Override
    public void close() {
        profilings.forEach(Lab.Profiling::close);
    }
}
