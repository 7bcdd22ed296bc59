package weir.feature.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import weir.cli.BundledExperiments;
import weir.cli.DoctorOutput;
import weir.cli.FormatOption;
import weir.cli.GeneratedExperiment;
import weir.cli.PlaceCheck;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.feature.hosts.ProgramFiles;
import weir.host.HostUnavailable;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.ShellWord;
import weir.probe.Finding;
import weir.run.PreflightException;

/** The check of Kubernetes by {@code weir doctor}, which creates the pods of a run as a test and reports findings. */
final class KubernetesDoctor implements PlaceCheck {
    private static final String PLACE = "kubernetes";
    private static final String EXAMPLE = "01-hello";

    @Override
    public String place() {
        return PLACE;
    }

    @Override
    public int check(CommandLine command, FormatOption format, Path file, List<String> set, boolean cleans)
            throws IOException {
        try (GeneratedExperiment written = new GeneratedExperiment()) {
            Path read = file;
            if (file.toString().isEmpty()) {
                read = written.folder().resolve(EXAMPLE + ".yaml");
                Files.writeString(read, BundledExperiments.text(EXAMPLE));
            }
            List<String> all = new ArrayList<>(List.of("placed=" + PLACE));
            if (cleans) {
                // This setting creates no pod.
                all.add("kubernetes.image=none");
            }
            all.addAll(set);
            Experiment experiment = PlanReader.read(read, new Overrides(all, List.of(), "", "", List.of(), false));
            if (!experiment.inPods()) {
                throw new ParameterException(
                        command, "'" + file + "' places nothing in pods; remove placed: here from a section");
            }
            String text = Files.readString(read);
            List<Problem> problems = PodFiles.missing(experiment, text);
            if (!problems.isEmpty()) {
                throw new Problems(problems);
            }
            RunIdentity run =
                    RunIdentity.now("check", RunObjects.placed(experiment).namespace());
            RunObjects objects = new RunObjects(run, experiment, text, List.of());
            try (KubernetesCheck check = KubernetesCheck.open(objects, ProgramFiles.build(WeirVersion.number()));
                    SignalHandler interrupts = new SignalHandler(check::interrupt)) {
                return interrupts.exit(
                        cleans
                                ? clean(command, format, check)
                                : examine(command, format, check, run.namespace(), typed(file, set)));
            } catch (HostUnavailable e) {
                throw new PreflightException(String.valueOf(e.getMessage()));
            }
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

    private static int examine(
            CommandLine command, FormatOption format, KubernetesCheck check, String namespace, String typed) {
        List<KubernetesCheck.RemainingRun> remains = check.remains();
        command.getErr().println("creating the pods of a run in namespace '" + namespace + "' as a test");
        List<Finding> findings = new ArrayList<>(check.findings());
        remains.stream()
                .filter(KubernetesCheck.RemainingRun::lives)
                .map(each -> new Finding(
                        "run " + each.name(),
                        "lives",
                        Finding.Verdict.DOUBT,
                        each.sign(),
                        "two runs disturb each other; wait until this run ends"))
                .forEach(findings::add);
        return DoctorOutput.examined(command, format, findings, Map.of(), leftovers(remains, namespace), typed);
    }

    private static List<DoctorOutput.Leftover> leftovers(List<KubernetesCheck.RemainingRun> remains, String namespace) {
        return remains.stream()
                .filter(each -> !each.lives())
                .map(each -> new DoctorOutput.Leftover(
                        "run",
                        each.name() + ", " + each.sign(),
                        each.byHand()
                                ? "was applied by hand; delete it with: kubectl --namespace " + namespace + " delete "
                                        + KubernetesCheck.KINDS + " --selector app.kubernetes.io/instance="
                                        + each.name()
                                        + ""
                                : "--clean deletes it"))
                .toList();
    }

    private static int clean(CommandLine command, FormatOption format, KubernetesCheck check) {
        KubernetesCheck.Cleaned cleaned = check.clean();
        boolean nothing = cleaned.done().isEmpty() && cleaned.failed().isEmpty();
        return DoctorOutput.cleaned(command, format, Map.of(), nothing, cleaned.done(), cleaned.failed());
    }
}
