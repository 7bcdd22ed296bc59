package weir.feature.deploy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.Experiment;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Variant;

/**
 * A Marathon application for one part of an experiment. Each instance is one agent on its own host.
 *
 * @param instances the highest number of hosts in any variant; {@code cpus} and {@code mebibytes} are maxima, too
 */
record MarathonApp(String part, int instances, double cpus, long mebibytes) {
    private static final String LOAD = "load";
    private static final String GATEWAY = "gateway";
    private static final String BROKER = "broker";
    private static final long MEBIBYTE = 1L << 20;

    record Agents(String connect, String token, String image) {}

    /** @throws Problems if a part has no limits for cores and memory */
    static List<MarathonApp> of(Experiment experiment) {
        Map<String, MarathonApp> apps = new LinkedHashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (Variant variant : experiment.variants()) {
            parts(variant).forEach(part -> add(apps, part, experiment, variant, problems));
        }
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        return List.copyOf(apps.values());
    }

    private record Part(String name, String path, int instances, Limits within) {}

    private static List<Part> parts(Variant variant) {
        List<Part> parts = new ArrayList<>();
        ClusterSpec cluster = variant.cluster();
        LoadSpec load = variant.load();
        if (cluster.placed().remote() && load.target() == LoadSpec.Target.CLUSTER) {
            int nodes = cluster.brokers().size() + cluster.dedicatedControllers();
            parts.add(new Part(BROKER, "cluster.within", nodes, cluster.within()));
        }
        BridgeSpec bridge = variant.bridge();
        if (bridge.instances() > 0) {
            parts.add(new Part(GATEWAY, "bridge.gateway.within", bridge.instances(), bridge.within()));
        }
        parts.add(new Part(LOAD, "load.within", load.processes(), load.within()));
        return parts;
    }

    private static void add(
            Map<String, MarathonApp> apps, Part part, Experiment experiment, Variant variant, List<Problem> problems) {
        Limits within = part.within();
        if (within.cpu() == 0 || within.memory().bytes() == 0) {
            Problem problem = experiment
                    .places()
                    .problem(
                            variant,
                            part.path(),
                            "Marathon needs limits for cores and memory; write within: { cpu: 0.5, memory: 2000MiB }");
            if (problems.stream().noneMatch(other -> other.text().equals(problem.text()))) {
                problems.add(problem);
            }
            return;
        }
        long mebibytes = (within.memory().bytes() + MEBIBYTE - 1) / MEBIBYTE;
        apps.merge(
                part.name(),
                new MarathonApp(part.name(), part.instances(), within.cpu(), mebibytes),
                MarathonApp::most);
    }

    private MarathonApp most(MarathonApp other) {
        return new MarathonApp(
                part,
                Math.max(instances, other.instances),
                Math.max(cpus, other.cpus),
                Math.max(mebibytes, other.mebibytes));
    }

    /** The JSON of Marathon. Two agents on one host have names of different parts. */
    Map<String, Object> json(String experiment, Agents agents) {
        Map<String, Object> app = new LinkedHashMap<>();
        app.put("id", "/weir/" + experiment + "/" + part);
        app.put(
                "cmd",
                "weir worker --connect " + agents.connect() + " --token " + agents.token() + " --name " + part
                        + ".$HOST");
        if (!agents.image().isEmpty()) {
            app.put("container", Map.of("type", "MESOS", "docker", Map.of("image", agents.image())));
        }
        app.put("cpus", cpus);
        app.put("mem", mebibytes);
        app.put("disk", 0);
        app.put("instances", instances);
        app.put("networks", List.of(Map.of("mode", "host")));
        app.put("portDefinitions", List.of());
        app.put("requirePorts", false);
        app.put("constraints", List.of(List.of("hostname", "UNIQUE")));
        Map<String, Object> labels = new LinkedHashMap<>();
        labels.put("weir/experiment", experiment);
        labels.put("weir/part", part);
        app.put("labels", labels);
        return app;
    }
}
