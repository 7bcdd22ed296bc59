package weir.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.cli.Shell;
import weir.feature.metrics.BrokerSeries;
import weir.feature.metrics.MetricsHandler;
import weir.feature.metrics.RunMetrics;
import weir.feature.presets.Preset;
import weir.http.LiveAnswer;
import weir.http.LiveRequest;
import weir.judge.trial.JudgedTrial;
import weir.judge.trial.TrialJudge;
import weir.plan.Experiment;
import weir.plan.Mutations;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.property.Properties;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.plan.syntax.Glossary;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.trial.Estimate;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.ResultJson;
import weir.results.RunFiles;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.value.SearchResults;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;
import weir.search.Search;

/**
 * The answers of this build as text files, one for each input, which {@code make same} compares with those of another
 * build. Trials, searches, conclusions and reports of stored runs are made again from their raw files. No answer
 * depends on the time, or on the place of a file.
 */
final class SameAnswers {
    private static final int SPOILT = 2_000;
    private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z][a-z-]*) ");
    private static final Pattern ORIGIN = Pattern.compile("([^/ ]+\\.yaml):\\d+");
    private static final Pattern INVISIBLE = Pattern.compile("(?s)<(style|script)\\b.*?</\\1>");
    private static final Pattern CELL = Pattern.compile("</t[dh]>\\s*<t[dh]\\b[^>]*>");
    private static final Pattern BLOCK =
            Pattern.compile("</?(?:[ou]l|li|t(?:able|r|head|body)|text|title|p|h\\d|div|section|d[ltd])\\b[^>]*>");

    private final Path answers;
    private final Path scratch;

    private SameAnswers(Path answers, Path scratch) {
        this.answers = answers;
        this.scratch = scratch;
    }

    /** {@code args}: the output folder, an empty folder, then folders of experiments, of runs, or of both. */
    public static void main(String... args) throws IOException {
        SameAnswers same = new SameAnswers(Path.of(args[0]), Path.of(args[1]));
        same.language();
        List<Path> experiments = new ArrayList<>();
        List<Path> runs = new ArrayList<>();
        for (String folder : List.of(args).subList(2, args.length)) {
            experiments.addAll(files(Path.of(folder), file -> file.toString().endsWith(".yaml")));
            RunFolder.list(Path.of(folder)).forEach(run -> runs.add(run.path()));
        }
        for (Path file : experiments) {
            same.experiment(file);
        }
        same.spoilt(experiments);
        for (Path run : new TreeSet<>(runs)) {
            same.run(same.copied(run, "runs"), same.copied(run, "stored"));
        }
        same.runs();
        // Threads of a fake lab may wait forever.
        System.exit(0);
    }

    private static List<Path> files(Path folder, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(wanted).sorted().toList();
        }
    }

    private void write(String name, String text) throws IOException {
        Path file = answers.resolve(name);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(
                file,
                text.replace(scratch.toString(), "SCRATCH")
                        .replace(answers.toString(), "ANSWERS")
                        .replace(Path.of("").toAbsolutePath().toString(), "HERE"));
    }

    private String weir(String name, String... words) throws IOException {
        Shell shell = Shell.weir(words);
        write(name, "exit " + shell.exit() + "\n" + shell.out() + shell.err());
        return shell.out();
    }

    private void language() throws IOException {
        help(List.of());
        weir("schema.json", "schema");
        weir("completion.txt", "completion");
        weir("new.txt", "new");
        weir("presets.txt", "presets");
        for (String preset : Preset.names()) {
            weir("presets/" + preset + ".txt", "presets", preset);
        }
        Collection<String> words = new TreeSet<>(Glossary.names());
        words.addAll(Glossary.metrics().keySet());
        words.addAll(CaveatType.words());
        words.addAll(Preset.names());
        words.addAll(Properties.known().keySet());
        Keys.all().stream().map(KeyDescription::path).forEach(words::add);
        for (String word : words) {
            weir("explain/" + word.replaceAll("[^A-Za-z0-9.%*-]", "_") + ".txt", "explain", word);
        }
    }

    private void help(List<String> command) throws IOException {
        List<String> words = new ArrayList<>(command);
        words.add("--help");
        String text = weir("help/" + String.join(" ", words) + ".txt", words.toArray(String[]::new));
        int list = text.indexOf("\nCommands:\n");
        Matcher names = COMMAND.matcher(list < 0 ? "" : text.substring(list));
        while (names.find()) {
            List<String> below = new ArrayList<>(command);
            below.add(names.group(1));
            help(below);
        }
    }

    private void experiment(Path file) throws IOException {
        String name = "experiments/" + file.getFileName();
        write(name + ".txt", resolved(file, Overrides.NONE));
        write(name + ".short.txt", resolved(file, Overrides.SHORT));
        write(name + ".played.txt", played(file));
    }

    private String resolved(Path file, Overrides overrides) {
        try {
            Experiment experiment = PlanReader.read(file, overrides);
            return Estimate.of(experiment) + "\n" + problems(experiment.missing())
                    + String.join("\n", experiment.remarks()) + "\n"
                    + ResultJson.write(RequestedExperiment.of(experiment, "", "")) + "\n";
        } catch (Problems problems) {
            return problems(problems.list());
        }
    }

    private static String problems(List<Problem> problems) {
        StringBuilder text = new StringBuilder();
        problems.forEach(problem -> text.append(problem.text()).append('\n'));
        return text.toString();
    }

    /** Accepted files have only a hash of their content, because they are many. */
    private void spoilt(List<Path> experiments) throws IOException {
        Mutations mutations = new Mutations(1);
        Path file = scratch.resolve("spoilt.yaml");
        for (int i = 0; i < SPOILT; i++) {
            byte[] text = mutations.of(Files.readString(experiments.get(i % experiments.size())));
            Files.write(file, text);
            String name = String.format("spoilt/%04d", i);
            String answer = resolved(file, Overrides.NONE);
            write(
                    name + ".txt",
                    answer.contains("\n{")
                            ? "taken, " + answer.replace(scratch.toString(), "").hashCode() + "\n"
                            : answer);
            Files.write(answers.resolve(name + ".yaml"), text);
        }
    }

    /** Copies a run, which is made again, to the same place regardless of the place of the run. */
    private RunFolder copied(Path run, String root) throws IOException {
        Path copy = scratch.resolve(root).resolve(run.getFileName());
        Files.createDirectories(copy.getParent());
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(run.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return RunFolder.open(copy);
    }

    private void run(RunFolder run, RunFolder stored) throws IOException {
        String name = "runs/" + run.path().getFileName() + "/";
        for (TrialFolder trial :
                Stream.concat(run.trials().stream(), run.searched().stream()).toList()) {
            JudgedTrial judged = new TrialJudge(trial).judged();
            RunFiles.put(trial.path().resolve("trial.json"), judged.result());
            RunFiles.put(trial.path().resolve("caveats.json"), judged.caveats());
            write(
                    name + run.path().relativize(trial.path()) + ".json",
                    ResultJson.write(judged.result()) + "\n" + ResultJson.write(judged.caveats()) + "\n");
        }
        try {
            Experiment experiment = experiment(run);
            write(name + "search.txt", searched(run, experiment));
            write(name + "notes.txt", concluded(run, experiment));
        } catch (Problems refused) {
            // The file is from another build, so the stored conclusion stays.
            write(name + "notes.txt", problems(refused.list()));
        }
        report(run, name);
        Path html = scratch.resolve(run.path().getFileName() + ".html");
        weir(
                name + "compare.txt",
                "compare",
                stored.path().toString(),
                run.path().toString(),
                "--out",
                "html=" + html);
        // An incomplete run is not compared.
        if (Files.exists(html)) {
            write(name + "compare.html.txt", text(Files.readString(html)));
        }
    }

    /** Returns the experiment of a run, read under its own file name, which the origins of values show. */
    private Experiment experiment(RunFolder run) throws IOException {
        String name = run.asked().variants().stream()
                .flatMap(variant -> variant.settings().stream())
                .flatMap(setting -> ORIGIN.matcher(setting.origin()).results())
                .findFirst()
                .map(origin -> origin.group(1))
                .orElse("experiment.yaml");
        Path file = Files.writeString(scratch.resolve(name), run.experimentYaml());
        return PlanReader.read(file, run.asked().shortened() ? Overrides.SHORT : Overrides.NONE);
    }

    private void report(RunFolder run, String name) throws IOException {
        String path = run.path().toString();
        for (String file : List.of("conclusion.json", "searches.json", "partitions.json", "tunings.json")) {
            if (Files.exists(run.path().resolve(file))) {
                write(name + file, Files.readString(run.path().resolve(file)));
            }
        }
        Path out = Files.createDirectories(answers.resolve(name));
        weir(
                name + "report.txt",
                "report",
                path,
                "--quantiles",
                out.resolve("quantiles").toString(),
                "--out",
                "github",
                "--out",
                "junit=" + scratch.resolve("junit.xml"));
        weir(name + "knative.txt", "report", path, "--out", "knative=" + out.resolve("knative"));
        write(name + "junit.xml", Files.readString(scratch.resolve("junit.xml")));
        String html = Files.readString(run.report());
        write(name + "report.html", html.replace(">", ">\n"));
        write(name + "report.html.txt", text(html));
    }

    /** Returns the text of a page, a line for each row of a table. */
    private static String text(String html) {
        String rows = CELL.matcher(INVISIBLE.matcher(html).replaceAll("")).replaceAll(" | ");
        String lines = BLOCK.matcher(rows.replace("\n", " ")).replaceAll("\n");
        return lines.replaceAll("<[^>]*>", "")
                        .replaceAll("[ \\t]*\\n\\s*", "\n")
                        .strip() + "\n";
    }

    private void runs() throws IOException {
        Path root = scratch.resolve("runs");
        weir("runs.txt", "runs", "--runs", root.toString());
        weir("runs.json", "runs", "--runs", root.toString(), "--format", "json");
        for (String name :
                new TreeSet<>(RunFolder.list(root).stream().map(RunFolder::name).toList())) {
            weir("trends/" + name + ".txt", "runs", "--runs", root.toString(), "--trend", name);
            weir("trends/" + name + ".json", "runs", "--runs", root.toString(), "--trend", name, "--format", "json");
        }
    }

    /** Returns the trials and answers of a run's searches after replaying its measurements. */
    private String searched(RunFolder run, Experiment experiment) {
        Map<String, JudgedTrial> trials = new TreeMap<>();
        run.searched().forEach(trial -> trials.put(trial.path().getFileName() + "", JudgedTrial.of(trial)));
        StringBuilder text = new StringBuilder();
        SearchResults found = SearchResults.NONE;
        for (SearchSpec asked : experiment.adaptive()) {
            for (Variant variant : experiment.searched(asked)) {
                AdaptiveSearch search = new AdaptiveSearches(found, Map.of(), () -> 0, Preflight.takes(experiment))
                        .of(asked, variant, Preflight.searchesTo(asked, options(run), variant));
                Search.Next next = search.next();
                while (next instanceof Search.Next.Run wanted
                        && trials.containsKey(wanted.trial().id())) {
                    text.append(asks(wanted));
                    search.add(trials.get(wanted.trial().id()));
                    next = search.next();
                }
                found = found.with(search.result());
                text.append(next instanceof Search.Next.Run more ? "not run: " + asks(more) : next + "\n");
                text.append(search.caveats() + "\n" + ResultJson.write(search.result()) + "\n");
            }
        }
        return text.toString();
    }

    private static String asks(Search.Next.Run wanted) {
        return wanted.trial().id() + " at " + wanted.rate() + ": " + wanted.why() + "\n";
    }

    private RunOptions options(RunFolder run) {
        return new RunOptions(
                scratch.resolve("runs"),
                true,
                0,
                0,
                run.path(),
                run.asked().weir(),
                run.asked().command());
    }

    /** Makes the conclusion again, as a resumed run without further trials does, on any machine. */
    private String concluded(RunFolder run, Experiment experiment) {
        Machine machine = run.machine();
        run.machine(new Machine(Map.of(), machine.properties(), machine.hosts()));
        return conducted(experiment, options(run), () -> run.machine(machine));
    }

    /** Runs the short form of an experiment in a lab without processes. */
    private String played(Path file) {
        try {
            RunOptions options = new RunOptions(
                    scratch.resolve("played").resolve(file.getFileName()), true, 0, 0, RunOptions.NEW, "", "");
            return conducted(PlanReader.read(file, Overrides.SHORT), options, () -> {});
        } catch (Problems problems) {
            return problems(problems.list());
        }
    }

    /** Returns all messages of a run, its result and its metrics. */
    private String conducted(Experiment experiment, RunOptions options, Runnable begun) {
        StringBuilder text = new StringBuilder();
        RunListener notes = new RunListener() {
            @Override
            public boolean agrees(String question) {
                text.append(question).append('\n');
                return true;
            }

            @Override
            public void started(Path folder, Estimate estimate) {
                begun.run();
            }

            @Override
            public void note(String note) {
                text.append(note).append('\n');
            }
        };
        RunMetrics metrics = new RunMetrics("");
        try {
            Runner runner = new Runner(
                    experiment,
                    options,
                    new RunListeners(notes, List.of(metrics)),
                    unused -> new FakeLab(scratch.resolve("state")));
            text.append(runner.run().toJson()).append('\n');
        } catch (RuntimeException refused) {
            // Refused by a check, or by the lab, which does not support some loads.
            text.append(refused).append('\n');
        }
        try (BrokerSeries none = new BrokerSeries(() -> 0)) {
            LiveRequest scrape = new LiveRequest("GET", MetricsHandler.PATH, new TreeMap<>(), new TreeMap<>());
            LiveAnswer answer = MetricsHandler.of(metrics, none, () -> 0).answer(scrape);
            return text + ((LiveAnswer.Whole) answer).text();
        }
    }
}
