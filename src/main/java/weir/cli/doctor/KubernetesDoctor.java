package weir.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import weir.cli.BundledExperiments;
import weir.cli.FormatOption;
import weir.cli.GeneratedExperiment;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.kubernetes.KubernetesCheck;
import weir.kubernetes.PodFiles;
import weir.kubernetes.RunIdentity;
import weir.kubernetes.RunObjects;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.ShellWord;
import weir.probe.Finding;
import weir.run.PreflightException;
import weir.worker.agent.BuildName;
import weir.worker.agent.WorkerHosts;

/** Judges a namespace of Kubernetes as one to measure in, and finds leftovers of killed runs there. */
record KubernetesDoctor(CommandLine command, FormatOption format) {
    private static final String PLACE = "kubernetes";
    private static final String EXAMPLE = "01-hello";

    int call(String on, Path file, List<String> set, boolean cleans) throws IOException {
        if (!on.equals(PLACE)) {
            throw new ParameterException(command, "--on: '" + on + "' is no place that is checked; there is " + PLACE);
        }
        try (GeneratedExperiment written = new GeneratedExperiment()) {
            Path read = file;
            if (file.toString().isEmpty()) {
                read = written.folder().resolve(EXAMPLE + ".yaml");
                Files.writeString(read, BundledExperiments.text(EXAMPLE));
            }
            List<String> all = new ArrayList<>(List.of("placed=" + PLACE));
            if (cleans) {
                // No pod is made.
                all.add("kubernetes.image=none");
            }
            all.addAll(set);
            Experiment experiment = PlanReader.read(read, new Overrides(all, List.of(), "", "", List.of(), false));
            if (!experiment.inPods()) {
                throw new ParameterException(
                        command, "'" + file + "' places nothing in pods: each section says that it runs here");
            }
            String text = Files.readString(read);
            List<Problem> problems = PodFiles.missing(experiment, text);
            if (!problems.isEmpty()) {
                throw new Problems(problems);
            }
            return call(experiment, text, typed(file, set), cleans);
        }
    }

    private static String typed(Path file, List<String> set) {
        StringBuilder typed = new StringBuilder("weir doctor --on kubernetes --clean");
        if (!file.toString().isEmpty()) {
            typed.append(' ').append(ShellWord.of(file.toString()));
        }
        set.forEach(value -> typed.append(" --set ").append(ShellWord.of(value)));
        return typed.toString();
    }

    private int call(Experiment experiment, String text, String typed, boolean cleans) {
        RunIdentity run = RunIdentity.now("check", RunObjects.placed(experiment).namespace());
        RunObjects objects = new RunObjects(run, experiment, text, List.of());
        try (KubernetesCheck check = KubernetesCheck.open(objects, BuildName.ours(WeirVersion.number()));
                SignalHandler interrupts = new SignalHandler(check::interrupt)) {
            return interrupts.exit(cleans ? clean(check) : examine(check, run.namespace(), typed));
        } catch (WorkerHosts.Unavailable e) {
            throw new PreflightException(String.valueOf(e.getMessage()));
        }
    }

    private int examine(KubernetesCheck check, String namespace, String typed) {
        List<KubernetesCheck.Remains> remains = check.remains();
        command.getErr().println("making the pods of a run in namespace '" + namespace + "' for a moment");
        List<Finding> findings = new ArrayList<>(check.findings());
        remains.stream()
                .filter(KubernetesCheck.Remains::lives)
                .map(each -> new Finding(
                        "run " + each.run(),
                        "lives",
                        Finding.Verdict.DOUBT,
                        each.sign(),
                        "two runs disturb each other; let it end"))
                .forEach(findings::add);
        return DoctorOutput.examined(command, format, findings, Map.of(), told(remains, namespace), typed);
    }

    private static List<LeftoverCleanup.Told> told(List<KubernetesCheck.Remains> remains, String namespace) {
        return remains.stream()
                .filter(each -> !each.lives())
                .map(each -> new LeftoverCleanup.Told(
                        "run",
                        each.run() + ", " + each.sign(),
                        each.byHand()
                                ? "was applied by hand; kubectl --namespace " + namespace + " delete "
                                        + KubernetesCheck.KINDS + " --selector app.kubernetes.io/instance=" + each.run()
                                        + " deletes it"
                                : "--clean deletes it"))
                .toList();
    }

    private int clean(KubernetesCheck check) {
        KubernetesCheck.Cleaned cleaned = check.clean();
        boolean nothing = cleaned.done().isEmpty() && cleaned.failed().isEmpty();
        return DoctorOutput.cleaned(command, format, Map.of(), nothing, cleaned.done(), cleaned.failed());
    }
}
