package weir.feature.deploy;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.cli.ExperimentFileOptions;
import weir.cli.HostPort;
import weir.feature.kubernetes.PodFiles;
import weir.feature.kubernetes.RunIdentity;
import weir.feature.kubernetes.RunObjects;
import weir.plan.BridgeSpec;
import weir.plan.ClusterSpec;
import weir.plan.Experiment;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Variant;
import weir.plan.read.PlanReader;
import weir.plan.syntax.ShellWord;
import weir.results.ResultJson;

/** The {@code weir deploy} command, which prints Kubernetes objects or Marathon applications that start a run. */
@Command(
        name = "deploy",
        header = "Print the objects of a run for Kubernetes or Marathon, and start nothing.",
        footer = "Example:" + " weir deploy kubernetes experiment.yaml",
        synopsisSubcommandLabel = "kubernetes|marathon",
        subcommands = {DeployCommand.Kubernetes.class, DeployCommand.Marathon.class})
public final class DeployCommand extends CliCommand implements Runnable {
    @Override
    public void run() {
        throw wrong("name a system: weir deploy kubernetes, or weir deploy marathon");
    }

    @Command(
            name = "kubernetes",
            header = "Print the objects of a run in Kubernetes, as YAML for kubectl apply.",
            footer = "Example:" + " weir deploy kubernetes experiment.yaml > run.yaml",
            description = {
                "Parts of the experiment without the key placed run in pods, as with weir run --on kubernetes. The"
                        + " printed objects start the conductor of a run. The conductor creates all other objects.",
                "weir run creates the same objects itself. If kubectl creates the objects, the run begins at once."
                        + " Its pod keeps the run folder for half an hour."
            })
    static final class Kubernetes extends CliCommand implements Runnable {
        @Mixin
        private ExperimentFileOptions options = new ExperimentFileOptions();

        @Parameters(paramLabel = "FILE", description = "The experiment file.")
        private Path file = Path.of("");

        @Override
        public void run() {
            if (!options.commandConfig().isEmpty()) {
                throw wrong("--command-config: a pod cannot read files of this machine; write the properties below"
                        + " cluster.client, and"
                        + " secrets as ${secret:NAME/KEY}");
            }
            Experiment experiment = PlanReader.read(file, options.overrides("placed=kubernetes"));
            String text;
            try {
                text = Files.readString(file);
            } catch (IOException e) {
                throw wrong("'" + file + "' cannot be read: " + e.getMessage());
            }
            List<Problem> problems = new ArrayList<>(PodFiles.missing(experiment, text));
            if (experiment.variants().stream().noneMatch(Variant::inPods)) {
                problems.add(Problem.of(file.toString(), "places nothing in pods; remove placed: here from a section"));
            }
            if (!problems.isEmpty()) {
                throw new Problems(problems);
            }
            List<String> arguments = new ArrayList<>(List.of("--on", "kubernetes"));
            arguments.addAll(options.arguments());
            print(out(), RunObjects.applied(experiment, text, arguments));
        }

        private void print(PrintWriter out, RunObjects objects) {
            RunIdentity run = objects.run();
            String kubectl = "#   kubectl --namespace " + run.namespace();
            out.println("# " + file.getFileName() + " in Kubernetes; weir run creates the same objects.");
            out.println("# The namespace must exist. Its label is optional, because all pods of the run meet the "
                    + "level 'restricted'.");
            out.println("#   kubectl create namespace " + run.namespace());
            out.println("#   kubectl label namespace " + run.namespace()
                    + " pod-security.kubernetes.io/enforce=restricted");
            objects.secrets()
                    .forEach((name, keys) -> out.println(
                            "# The Secret '" + name + "' must exist, with the keys " + String.join(", ", keys) + "."));
            out.println("# To delete all objects of the run:");
            out.println(
                    kubectl + " delete " + objects.kinds() + " --selector app.kubernetes.io/instance=" + run.name());
            out.print(RunObjects.yaml(objects.all()));
            out.flush();
        }
    }

    @Command(
            name = "marathon",
            header = "Print the workers of a run as a group of Marathon applications, as JSON.",
            footer = "Example:" + " weir deploy marathon experiment.yaml",
            description = {
                "The group has one application for each part that is placed on other machines: the load, the"
                        + " gateways, the brokers. Marathon runs each instance on a separate host.",
                "An instance is a weir worker, which connects to the run. The worker has the name PART.HOSTNAME."
                        + " List these names in the experiment: placed: { hosts: [...], start: by-hand }."
            })
    static final class Marathon extends CliCommand implements Runnable {
        private static final String EXAMPLE = "10.0.0.1:7411";

        @Mixin
        private ExperimentFileOptions options = new ExperimentFileOptions();

        @Option(
                names = "--connect",
                paramLabel = "HOST:PORT",
                description = "Address where the run waits for its workers (default: the address of load.placed).")
        private String connect = "";

        @Option(
                names = "--token",
                paramLabel = "FILE",
                description = "Path of the run's token file on each host (default: /etc/weir/token).")
        private String token = "/etc/weir/token";

        @Option(
                names = "--image",
                paramLabel = "IMAGE",
                description = "An image with weir on its PATH. Without --image, weir must be installed on each host.")
        private String image = "";

        @Parameters(paramLabel = "FILE", description = "The experiment file.")
        private Path file = Path.of("");

        @Override
        public void run() {
            Experiment experiment = PlanReader.read(file, options.overrides());
            MarathonApp.Agents agents =
                    new MarathonApp.Agents(ShellWord.of(address(experiment)), ShellWord.of(token), image);
            Map<String, Object> group = new LinkedHashMap<>();
            group.put("id", "/weir/" + experiment.name());
            group.put(
                    "apps",
                    MarathonApp.of(experiment).stream()
                            .map(app -> app.json(experiment.name(), agents))
                            .toList());
            out().println(ResultJson.write(group));
        }

        private String address(Experiment experiment) {
            String address = connect;
            if (address.isEmpty()
                    && experiment.variants().get(0).load().placed() instanceof PlacedSpec.Hosts hosts
                    && hosts.port() > 0) {
                address = hosts.address();
            }
            if (address.isEmpty()) {
                throw wrong("--connect is missing, and load.placed has no address at which workers reach the run; "
                        + HostPort.advice(EXAMPLE));
            }
            try {
                HostPort.read(address, 1, EXAMPLE);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(command(), "--connect: " + e.getMessage(), e);
            }
            return address;
        }
    }

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
                Map<String, MarathonApp> apps,
                Part part,
                Experiment experiment,
                Variant variant,
                List<Problem> problems) {
            Limits within = part.within();
            if (within.cpu() == 0 || within.memory().bytes() == 0) {
                Problem problem = experiment
                        .places()
                        .problem(
                                variant,
                                part.path(),
                                "Marathon needs limits for cores and memory; write within: { cpu: 0.5, memory:"
                                        + " 2000MiB }");
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
}
