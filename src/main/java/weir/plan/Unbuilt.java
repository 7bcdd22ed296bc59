package weir.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/** What an experiment asks for that is understood and checked, but not built yet. */
public final class Unbuilt {
    private static final Set<String> UNMEASURED = Set.of("partitions", "gap", "recovery");

    private final List<Problem> found = new ArrayList<>();

    private final String file;

    private Unbuilt(String file) {
        this.file = file;
    }

    /** Each part with the first place where it is asked for; empty if the experiment can run. */
    public static List<Problem> in(Experiment experiment) {
        Unbuilt unbuilt = new Unbuilt(String.valueOf(experiment.file().getFileName()));
        if (experiment.searches().stream().anyMatch(SearchSpec.Partitions.class::isInstance)) {
            unbuilt.add(experiment.settings(), "search.partitions", "a search for partitions");
        }
        if (!experiment.profiles().isEmpty()) {
            unbuilt.add(experiment.settings(), "profile", "a profile");
        }
        experiment.variants().forEach(unbuilt::variant);
        experiment.expectations().forEach(expectation -> unbuilt.expectation(experiment, expectation));
        return unbuilt.found;
    }

    /** What nothing measures yet must not be judged either. */
    private void expectation(Experiment experiment, Expectation expectation) {
        if (UNMEASURED.contains(expectation.metric())) {
            add(experiment.settings(), "expect", "judging by " + expectation.metric());
        }
        boolean disturbance = experiment.variants().stream()
                .anyMatch(variant -> variant.during().containsKey(expectation.during()));
        if (disturbance) {
            add(experiment.settings(), "expect", "judging during a disturbance");
        }
    }

    private void variant(Variant variant) {
        SortedMap<String, Setting> settings = variant.settings();
        load(settings, variant.load());
        if (!(variant.bridge() instanceof BridgeSpec.None)) {
            add(settings, "bridge", "a bridge");
        }
        if (!variant.during().isEmpty()) {
            add(settings, "during", "a disturbance");
        }
        if (variant.cluster() instanceof ClusterSpec.Embedded cluster) {
            if (!cluster.within().equals(Limits.NONE)) {
                add(settings, "cluster.within", "limiting brokers");
            }
        } else if (variant.cluster() instanceof ClusterSpec.External external) {
            if (!external.classpath().isEmpty()) {
                add(settings, "cluster.classpath", "a class path for the clients");
            }
            if (!external.metrics().isEmpty()) {
                add(settings, "cluster.metrics", "reading the metrics of a given cluster");
            }
        }
    }

    private void load(SortedMap<String, Setting> settings, LoadSpec load) {
        if (load.send() == LoadSpec.Engine.HTTP || load.receive() == LoadSpec.Engine.HTTP) {
            add(settings, "load.engine", "the engine http");
        }
        if (load.group() instanceof GroupSpec.Named g && g.protocol() == GroupSpec.Protocol.SHARE) {
            add(settings, "load.group", "a share group");
        }
        if (!load.within().equals(Limits.NONE)) {
            add(settings, "load.within", "limiting workers");
        }
    }

    private void add(SortedMap<String, Setting> settings, String path, String part) {
        String origin = file;
        for (Setting setting : settings.tailMap(path).values()) {
            boolean same = setting.path().equals(path) || setting.path().startsWith(path + ".");
            if (same && !setting.origin().equals("default")) {
                origin = setting.origin();
                break;
            }
        }
        String message = path + ": " + part + " is not built yet";
        if (found.stream().noneMatch(problem -> problem.message().equals(message))) {
            found.add(Problem.of(origin, message));
        }
    }
}
