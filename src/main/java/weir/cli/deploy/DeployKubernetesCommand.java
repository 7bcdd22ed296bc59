package weir.cli.deploy;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.cli.ExperimentFileOptions;
import weir.kubernetes.PodFiles;
import weir.kubernetes.RunIdentity;
import weir.kubernetes.RunManifests;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Variant;
import weir.plan.read.PlanReader;

/** Prints the objects of a run in Kubernetes. */
@Command(
        name = "kubernetes",
        header = "Print the objects of a run in Kubernetes, as YAML for kubectl apply.",
        description = {
            "All that says nothing of its place runs in pods, as with run --on kubernetes. The first objects are those by"
                    + " which a run is started, and the others those that its conductor makes.",
            "weir run makes the same itself. What is applied by hand begins at once, and holds its folder for half an hour."
        })
final class DeployKubernetesCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ExperimentFileOptions options = new ExperimentFileOptions();

    @Parameters(paramLabel = "FILE", description = "The experiment.")
    private Path file = Path.of("");

    @Override
    public void run() {
        if (!options.commandConfig().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--command-config: a pod has no file of this machine; write its properties below cluster.client, and"
                            + " secrets as ${secret:NAME/KEY}");
        }
        Experiment experiment = PlanReader.read(file, options.overrides("placed=kubernetes"));
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "'" + file + "' cannot be read: " + e.getMessage());
        }
        List<Problem> problems = new ArrayList<>(PodFiles.missing(experiment, text));
        if (experiment.variants().stream().noneMatch(Variant::inPods)) {
            problems.add(Problem.of(
                    file.toString(),
                    "places nothing in pods: each section says that it runs here; leave out placed: here"));
        }
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        List<String> arguments = new ArrayList<>(List.of("--on", "kubernetes"));
        arguments.addAll(options.arguments());
        RunManifests manifests = RunManifests.of(experiment, text, arguments);
        print(spec.commandLine().getOut(), manifests);
    }

    private void print(PrintWriter out, RunManifests manifests) {
        RunIdentity run = manifests.run();
        String kubectl = "#   kubectl --namespace " + run.namespace();
        out.println("# " + file.getFileName() + " in Kubernetes; weir run makes the same itself.");
        out.println("# The namespace has to be there, and may admit restricted pods alone:");
        out.println("#   kubectl create namespace " + run.namespace());
        out.println(
                "#   kubectl label namespace " + run.namespace() + " pod-security.kubernetes.io/enforce=restricted");
        manifests
                .secrets()
                .forEach((name, keys) -> out.println(
                        "# The Secret '" + name + "' has to be there, with " + String.join(", ", keys) + "."));
        out.println("# All of it is deleted by its label:");
        out.println(kubectl + " delete " + manifests.kinds() + " --selector app.kubernetes.io/instance=" + run.name());
        out.print(manifests.yaml());
        out.flush();
    }
}
