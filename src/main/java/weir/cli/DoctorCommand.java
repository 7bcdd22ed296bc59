package weir.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import weir.cli.terminal.JsonOutput;
import weir.cluster.admin.LeftoverResources;
import weir.cluster.start.ExternalCluster;
import weir.host.Children;
import weir.host.Journal;
import weir.measure.Canary;
import weir.pace.Pacer;
import weir.probe.CanaryBenchmarks;
import weir.probe.Finding;
import weir.probe.MachineCheck;
import weir.probe.MachineLook;
import weir.results.RunFolder;
import weir.run.Exit;

/** Judges this machine as one to measure on, and finds leftovers of killed runs. */
@Command(
        name = "doctor",
        header = "Check a machine before measuring on it, and find leftovers of killed runs.",
        description = "Ends with 0 when the machine is fit, with 3 when something on it is bad for every number.")
final class DoctorCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--clean",
            description = "Only remove leftovers of killed runs: processes, folders, topics, empty runs.")
    private boolean clean;

    @Override
    public Integer call() {
        LeftoverCleanup remnants = LeftoverCleanup.find(Journal.state(), runs.path());
        return clean ? clean(remnants) : examine(remnants);
    }

    private int examine(LeftoverCleanup remnants) {
        Path folder = existing(runs.path());
        List<Canary> canaries;
        List<Finding> findings;
        try {
            canaries = CanaryBenchmarks.run(folder);
            MachineCheck bench = MachineLook.at(folder, canaries, new Pacer(System::nanoTime)::await);
            findings = new ArrayList<>(bench.findings());
            findings.add(children());
            findings.add(
                    CanaryHistory.of(RunFolder.list(runs.path()), bench.facts()).finding(canaries));
        } catch (IOException e) {
            throw new UncheckedIOException("looking at this machine", e);
        }
        if (Thread.currentThread().isInterrupted()) {
            return Exit.INTERRUPTED.code();
        }
        boolean fit = findings.stream().noneMatch(finding -> finding.verdict() == Finding.Verdict.BAD);
        if (format.json()) {
            JsonOutput.print(spec.commandLine().getOut(), object(fit, findings, canaries, remnants));
        } else {
            print(findings);
            remnants(remnants);
            spec.commandLine().getOut().println(summary(fit, findings));
        }
        return (fit ? Exit.FINE : Exit.PREFLIGHT).code();
    }

    private static Path existing(Path path) {
        Path at = path.toAbsolutePath();
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    private static Finding children() {
        try (Journal journal = Journal.open();
                Children children = Children.open(journal)) {
            List<String> caveats = children.caveats();
            return caveats.isEmpty()
                    ? new Finding("children end with weir", "yes", Finding.Verdict.FINE, "also when it is killed", "")
                    : new Finding(
                            "children end with weir",
                            "not always",
                            Finding.Verdict.DOUBT,
                            String.join("; ", caveats),
                            "apt-get install util-linux");
        }
    }

    private void print(List<Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        for (Finding finding : findings) {
            out.printf(
                    "%-8s%-36s%-22s %s%n",
                    word(finding),
                    finding.name(),
                    finding.figure().isEmpty() ? "?" : finding.figure(),
                    finding.meaning());
            if (!finding.advice().isEmpty() && finding.verdict() != Finding.Verdict.FINE) {
                out.printf("%-8s%-36s%-22s → %s%n", "", "", "", finding.advice());
            }
        }
    }

    private void remnants(LeftoverCleanup remnants) {
        List<LeftoverCleanup.Told> told = remnants.told();
        if (!told.isEmpty()) {
            PrintWriter out = spec.commandLine().getOut();
            out.printf("%nleftovers of killed runs:%n");
            told.forEach(one -> out.printf("  %-8s%s (%s)%n", one.kind(), one.what(), one.then()));
            if (!clean && told.stream().anyMatch(one -> one.then().contains("--clean"))) {
                out.printf("  to clean: weir doctor --clean%s%n", runs.typed());
            }
            out.println();
        }
    }

    private static String word(Finding finding) {
        return finding.verdict().name().toLowerCase(Locale.ROOT);
    }

    private static String summary(boolean fit, List<Finding> findings) {
        long doubts = count(findings, Finding.Verdict.DOUBT);
        return fit
                ? "fit for measuring" + (doubts == 0 ? "" : ", with " + doubts + (doubts == 1 ? " doubt" : " doubts"))
                : "not fit for measuring: " + count(findings, Finding.Verdict.BAD) + " bad, " + doubts + " in doubt";
    }

    private static long count(List<Finding> findings, Finding.Verdict verdict) {
        return findings.stream().filter(finding -> finding.verdict() == verdict).count();
    }

    private static Map<String, Object> object(
            boolean fit, List<Finding> findings, List<Canary> canaries, LeftoverCleanup remnants) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("version", 1);
        object.put("fit", fit);
        object.put(
                "findings",
                findings.stream()
                        .map(finding -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("name", finding.name());
                            one.put("figure", finding.figure().isEmpty() ? null : finding.figure());
                            one.put("verdict", word(finding));
                            one.put("means", finding.meaning());
                            one.put("do", finding.advice());
                            return one;
                        })
                        .toList());
        object.put("canaries", canaries);
        object.put("left", remnants.told());
        return object;
    }

    private int clean(LeftoverCleanup remnants) {
        PrintWriter out = spec.commandLine().getOut();
        List<LeftoverCleanup.Told> told = remnants.told();
        if (!format.json()) {
            remnants(remnants);
        }
        Journal.Cleared cleared = remnants.clean(connection.cluster(), this::strays);
        if (format.json()) {
            JsonOutput.print(
                    out,
                    new TreeMap<>(
                            Map.of("version", 1, "left", told, "done", cleared.done(), "failed", cleared.failed())));
        } else if (told.isEmpty()) {
            out.println("nothing is left behind");
        } else {
            cleared.done().forEach(out::println);
        }
        cleared.failed().forEach(spec.commandLine().getErr()::println);
        return (cleared.failed().isEmpty() ? Exit.FINE : Exit.PREFLIGHT).code();
    }

    private LeftoverCleanup.Strays strays(String bootstrap) {
        ExternalCluster cluster = ExternalCluster.connect(CommandLineCluster.cluster(connection.at(bootstrap)));
        LeftoverResources strays = LeftoverResources.on(cluster);
        return new LeftoverCleanup.Strays() {
            @Override
            public Set<String> topics(Collection<String> names) {
                return strays.topics(names);
            }

            @Override
            public void deleteTopic(String name) {
                strays.deleteTopic(name);
            }

            @Override
            public void deleteGroup(String name) {
                strays.deleteGroup(name);
            }

            @Override
            public void close() {
                strays.close();
                cluster.close();
            }
        };
    }
}
