package weir.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;
import weir.plan.Experiment;

/** The objects of a run as text, to be applied by others. */
public record RunManifests(RunObjects objects) {
    /** Names the run after the experiment, since no run has begun. */
    public static RunManifests of(Experiment experiment, String text, List<String> arguments) {
        RunIdentity run =
                RunIdentity.of(experiment.name(), RunObjects.placed(experiment).namespace());
        return new RunManifests(new RunObjects(run, experiment, text, arguments));
    }

    public RunIdentity run() {
        return objects.run();
    }

    public SortedMap<String, SortedSet<String>> secrets() {
        return objects.secrets();
    }

    /** Returns the kinds of all objects as kubectl takes them, with those of disks, which a StatefulSet makes. */
    public String kinds() {
        return all().stream()
                        .map(object -> object.getKind().toLowerCase(Locale.ROOT))
                        .distinct()
                        .collect(Collectors.joining(","))
                + ",persistentvolumeclaim";
    }

    public String yaml() {
        return RunObjects.yaml(all());
    }

    private List<HasMetadata> all() {
        List<HasMetadata> all = new ArrayList<>(objects.conductor());
        all.addAll(objects.hosts("ADDRESS-OF-CONDUCTOR:" + RunObjects.PORT));
        return all;
    }
}
