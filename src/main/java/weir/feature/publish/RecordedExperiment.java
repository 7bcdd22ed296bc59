package weir.feature.publish;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import weir.cli.Main;
import weir.cli.RunCommandOptions;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.ShellWord;
import weir.results.JsonComparison.Difference;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.run.RunOptions;

/** The experiment of a stored run, read again from its file with the options of the stored command. */
record RecordedExperiment(RequestedExperiment asked, Experiment experiment, RunOptions options) {
    /** Reads the experiment; throws {@link Problems} if this build rejects the file or the command. */
    static RecordedExperiment of(RunFolder folder) {
        RequestedExperiment asked = folder.asked();
        List<String> words = words(asked.command());
        // A file without a name has the name of its stem, to which --a-a adds an end.
        String stem = words.contains("--a-a") ? asked.name().replaceFirst("-a-a$", "") : asked.name();
        Path file = folder.path().resolve(stem + ".yaml");
        RunOptions plain = new RunOptions(folder.path(), true, 0, 0, Path.of(""), asked.weir(), asked.command());
        try {
            ParseResult command = Main.commandLine(words.get(0)).parseArgs(words.toArray(String[]::new));
            CommandSpec settings = command.hasSubcommand()
                    ? command.subcommand().commandSpec().mixins().get("settings")
                    : null;
            if (settings != null && settings.userObject() instanceof RunCommandOptions given) {
                return new RecordedExperiment(asked, given.read(file, folder.experimentYaml()), given.options());
            }
            return new RecordedExperiment(asked, PlanReader.read(file, folder.experimentYaml(), Overrides.NONE), plain);
        } catch (CommandLine.ParameterException e) {
            throw new Problems(List.of(Problem.of(folder.path() + "/experiment.json", "command: " + e.getMessage())));
        }
    }

    /** Returns the settings that differ from those of the run. Absolute paths depend on the machine. */
    List<Difference> differences() {
        List<Difference> differences = new ArrayList<>();
        for (RequestedExperiment.Variant stored : asked.variants()) {
            Map<String, Setting> now = experiment.variants().stream()
                    .filter(variant -> variant.name().equals(stored.name()))
                    .findFirst()
                    .map(Variant::settings)
                    .orElse(new TreeMap<>());
            for (Setting setting : stored.settings()) {
                Setting read = now.get(setting.path());
                // Another build may have other default keys.
                boolean same = read == null
                        ? setting.origin().equals("default")
                        : read.value().equals(setting.value()) || read.value().matches("\\[?/.*");
                if (!same) {
                    differences.add(new Difference(
                            "variant '" + stored.name() + "', " + setting.path(),
                            setting.value(),
                            read == null ? "nothing" : read.value()));
                }
            }
        }
        return differences;
    }

    /** Splits a command into the words after {@code weir}, without the run that it resumes. */
    private static List<String> words(String command) {
        List<String> words =
                new ArrayList<>(ShellWord.split(command).stream().skip(1).toList());
        int resume = words.indexOf("--resume");
        if (resume >= 0) {
            words.subList(resume, Math.min(resume + 2, words.size())).clear();
        }
        words.removeIf(word -> word.startsWith("--resume="));
        return words.isEmpty() ? Arrays.asList("run", "experiment.yaml") : words;
    }
}
