package weir.cli.perf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import weir.cli.CommandText;
import weir.cli.GeneratedExperiment;
import weir.cli.RunsFolderOption;
import weir.cli.SignalHandler;
import weir.cli.WeirVersion;
import weir.cli.terminal.LineOutput;
import weir.cluster.start.ExternalCluster;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.check.Unbuilt;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.report.HtmlReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.run.Exit;
import weir.run.PreflightException;
import weir.run.RunOptions;
import weir.run.Runner;

/** The run of the experiment behind a perf command: its lines on standard output, the rest on standard error. */
final class PerfRun implements PerfFlags.PerfWords, AutoCloseable {
    private final CommandSpec spec;
    private final GeneratedExperiment written = new GeneratedExperiment();

    PerfRun(CommandSpec spec) {
        this.spec = spec;
    }

    /** For files that are needed until the run is over. */
    Path folder() {
        return written.folder();
    }

    @Override
    public ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    @Override
    public void say(String what) {
        spec.commandLine().getErr().println(LineOutput.harmless(spec.qualifiedName() + ": " + what));
    }

    /**
     * The experiment that the flags say.
     *
     * @throws ParameterException with what is wrong with them
     */
    Experiment experiment(String name, PerfPlan plan) {
        Path file = folder().resolve(name + ".yaml");
        try {
            Files.writeString(file, plan.text());
            Experiment experiment = PlanReader.read(file, Overrides.NONE);
            List<Problem> open = new ArrayList<>(Unbuilt.in(experiment));
            open.addAll(experiment.missing());
            if (!open.isEmpty()) {
                throw new Problems(open);
            }
            return experiment;
        } catch (Problems problems) {
            throw refused(plan, problems);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }

    /** The topics there that are asked for; to be read, they have to be there. */
    List<String> topicsToRead(Experiment experiment, String flag, String asked, Predicate<String> wanted) {
        ExternalCluster cluster = connect(experiment);
        List<String> found =
                new TreeSet<>(cluster.topics()).stream().filter(wanted).toList();
        if (found.isEmpty()) {
            throw new PreflightException(spec.qualifiedName() + ": " + flag + ": there is no topic '" + asked + "' at "
                    + cluster.bootstrap() + ", or you may not see it; make it first (kafka-topics.sh --create)");
        }
        return found;
    }

    /** Has a topic that is not there made as every producer does: by a broker, if it does. */
    void topicToWrite(Experiment experiment, String topic) {
        ExternalCluster cluster = connect(experiment);
        if (cluster.topics().contains(topic)) {
            return;
        }
        if (!cluster.topicByUse(topic)) {
            throw new PreflightException(spec.qualifiedName() + ": --topic: there is no topic '" + topic + "' at "
                    + cluster.bootstrap() + ", or you may not see it, and no broker made it when a producer asked for"
                    + " it (auto.create.topics.enable); make it first (kafka-topics.sh --create)");
        }
        say("there was no topic '" + topic + "', so the broker made it (auto.create.topics.enable), with its defaults;"
                + " it stays");
    }

    private static ExternalCluster connect(Experiment experiment) {
        return ExternalCluster.connect(experiment.variants().get(0).cluster());
    }

    /** Returns the exit code, once the lines are told and the report is written. */
    int conduct(Experiment experiment, PerfPlan plan, RunsFolderOption runs, PerfListener listener) {
        RunOptions options = new RunOptions(
                runs.path(),
                false,
                Double.POSITIVE_INFINITY,
                0,
                Path.of(""),
                WeirVersion.number(),
                CommandText.of(spec));
        Runner runner = new Runner(experiment, options, listener);
        RunResult result;
        int exit;
        try (SignalHandler interrupts = new SignalHandler(runner::interrupt)) {
            result = runner.run();
            exit = interrupts.exit(result.exit());
        } catch (Problems problems) {
            throw refused(plan, problems);
        }
        listener.total(result.exit() == Exit.INTERRUPTED.code());
        RunFolder run = RunFolder.open(Path.of(result.run()));
        listener.tell(run, HtmlReport.write(run));
        return exit == Exit.FINE.code() && listener.broken() ? Exit.INVALID.code() : exit;
    }

    private ParameterException refused(PerfPlan plan, Problems problems) {
        List<String> told = plan.told(problems);
        told.subList(0, told.size() - 1).forEach(this::say);
        return new ParameterException(spec.commandLine(), told.get(told.size() - 1));
    }

    @Override
    public void close() {
        written.close();
    }
}
