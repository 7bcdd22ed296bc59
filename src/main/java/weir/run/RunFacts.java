package weir.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import weir.cluster.Cluster;
import weir.io.Io;
import weir.plan.Experiment;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.plan.read.Hash;
import weir.plan.trial.Trial;
import weir.probe.MachineFacts;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.value.HostFacts;
import weir.results.value.TrialEnd;

/** The facts of the machine, the cluster and the clients. Each trial adds facts and writes all facts again. */
final class RunFacts {
    static final String HASH = "sha256 of ";

    private final RunFolder folder;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final Map<String, List<Property>> properties = new LinkedHashMap<>();
    private final Map<String, HostFacts> hosts = new LinkedHashMap<>();

    RunFacts(RunFolder folder, Experiment experiment) {
        this.folder = folder;
        Machine before = folder.machine();
        facts.putAll(before.facts());
        properties.putAll(before.properties());
        before.hosts().forEach(host -> hosts.put(host.name(), host));
        facts.putAll(now(folder, experiment));
    }

    /** The current machine, and the files of the load, whose content is part of the load. */
    static SortedMap<String, String> now(RunFolder folder, Experiment experiment) {
        SortedMap<String, String> facts = ofMachine(folder.path());
        for (Variant variant : experiment.variants()) {
            List<Path> files = new ArrayList<>(variant.cluster().classpath());
            if (variant.load().rate() instanceof RateSpec.Replay replay) {
                files.add(replay.file());
            }
            files.removeIf(file -> !Files.isRegularFile(file));
            files.forEach(file -> facts.put(HASH + file.getFileName(), hash(file)));
        }
        return facts;
    }

    static HostFacts here(int workers, List<Integer> brokers, List<String> others) {
        return new HostFacts(
                HostFacts.HERE,
                MachineFacts.name(),
                Runtime.getRuntime().availableProcessors(),
                MachineFacts.memoryBytes(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.version"),
                IntStream.range(0, workers).boxed().toList(),
                brokers,
                others);
    }

    private static String hash(Path file) {
        return Io.attempt("reading " + file, () -> Hash.of(file));
    }

    private static SortedMap<String, String> ofMachine(Path folder) {
        return Io.attempt("reading the facts of this machine", () -> new TreeMap<>(MachineFacts.of(folder)));
    }

    void take(Trial trial, Cluster cluster, List<HostFacts> machines, TrialEnd end) {
        machines.forEach(host -> hosts.put(host.name(), host));
        facts.put("kafka", cluster.version());
        end.generator().jvm().forEach((name, value) -> facts.put("generator." + name, value));
        facts.putAll(cluster.facts());
        properties.put(trial.variant().name(), end.properties());
        folder.machine(new Machine(facts, properties, hosts.size() > 1 ? List.copyOf(hosts.values()) : List.of()));
    }
}
