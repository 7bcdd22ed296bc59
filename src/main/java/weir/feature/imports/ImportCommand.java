package weir.feature.imports;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.cli.RunsFolderOption;
import weir.cli.terminal.LineOutput;
import weir.feature.imports.ImportRow.ValueForm;
import weir.feature.imports.ImportedRun.Measured;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.Redact;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.ShellWord;
import weir.plan.syntax.Tree;
import weir.plan.syntax.YamlTree;
import weir.report.HtmlReport;
import weir.report.TextReport;
import weir.results.RunFolder;

/** The {@code weir import} command, which makes an experiment file from a file or command of another tool. */
@Command(
        name = "import",
        header = "Make an experiment file or a run from a file or command of another tool.",
        footer = "Example: weir" + " import omb workload.yaml driver.yaml --out experiment.yaml",
        description = {
            "omb: a workload of OpenMessaging Benchmark, and its Kafka driver. perf: a command line of Kafka's"
                    + " performance tools, in quotes. k6: a script with xk6-kafka. trogdor: a task specification.",
            "A result of OpenMessaging Benchmark (JSON) or the output of Kafka's performance tools becomes a run, which"
                    + " weir runs, weir report and weir compare read.",
            "The comments of the experiment file name each key of the source, or the reason why the file does not"
                    + " contain it."
        })
public final class ImportCommand extends CliCommand implements Runnable {
    private static final long LARGEST = 3 << 20;
    private static final Pattern RANGE = Pattern.compile("\\[([0-9]{1,6})-([0-9]{1,6})]");

    @Parameters(index = "0", paramLabel = "TOOL", description = "omb, perf, k6 or trogdor.")
    private String tool = "";

    @Parameters(index = "1", paramLabel = "SOURCE", description = "A file. With perf also: the command line.")
    private String source = "";

    @Parameters(
            index = "2..*",
            paramLabel = "FILE",
            description = "After a workload of omb: the driver. After a result: results of the same load.")
    private List<Path> more = List.of();

    @Mixin
    private RunsFolderOption runs = new RunsFolderOption();

    @Option(names = "--out", paramLabel = "FILE", description = "New file for the experiment (default: print it).")
    private @Nullable Path out;

    @Override
    public void run() {
        if (!List.of("omb", "perf", "k6", "trogdor").contains(tool)) {
            throw wrong("TOOL: must be omb, perf, k6 or trogdor, found '" + tool + "'");
        }
        if (isResult()) {
            importResults();
            return;
        }
        int drivers = tool.equals("omb") ? 1 : 0;
        if (more.size() > drivers) {
            throw wrong("'" + more.get(drivers) + "': "
                    + (drivers == 0 ? "only omb has a driver" : "a workload has one driver") + "; remove the argument");
        }
        Tree.Section table = Translation.table(tool);
        String text;
        try {
            text = Translation.of("Made by weir import " + tool + from() + ".", table, keys(table));
        } catch (Problems problems) {
            Problem first = problems.list().get(0);
            throw wrong(first.source() + (first.line() > 0 ? ":" + first.line() : "") + ": " + first.message());
        }
        if (out == null) {
            out().print(text);
            out().flush();
            return;
        }
        try {
            Files.writeString(out, text, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw wrong("--out: '" + out + "' exists; name another file");
        } catch (IOException e) {
            throw wrong("--out: '" + out + "' cannot be written: " + e.getMessage());
        }
        err().println("Read the comments of the file, then: weir check " + ShellWord.of(out.toString()));
    }

    /** True if the source is a result instead of a workload or a command. A workload may be JSON, too. */
    private boolean isResult() {
        Path file = Path.of(source);
        if (!Files.isRegularFile(file)) {
            return false;
        }
        return tool.equals("perf")
                || (tool.equals("omb")
                        && read(file).stripLeading().startsWith("{")
                        && !read(file).contains("\"partitionsPerTopic\""));
    }

    private void importResults() {
        if (out != null) {
            throw wrong("--out: '" + source + "' is a result, which becomes a run below --runs; remove --out");
        }
        List<Path> files =
                Stream.concat(Stream.of(Path.of(source)), more.stream()).toList();
        List<Measured> measured = new ArrayList<>();
        List<ImportedRun> read = new ArrayList<>();
        Map<String, String> kept = new LinkedHashMap<>();
        for (Path file : files) {
            String text = read(file);
            ImportedRun run = result(file, text, measured.size() + 1);
            if (!read.isEmpty() && !run.repeats(read.get(0))) {
                throw wrong("'" + file + "' has another tool or load than '" + source + "'; import it separately");
            }
            read.add(run);
            measured.addAll(run.measured());
            kept.put("source-" + read.size() + (tool.equals("omb") ? ".json" : ".txt"), Redact.marked(text));
        }
        String words =
                files.stream().map(file -> " " + ShellWord.of(file.toString())).collect(Collectors.joining());
        RunFolder folder =
                read.get(0).with(measured).write(runs.path(), kept, "weir import " + tool + words + runs.typed());
        HtmlReport.write(folder);
        out().println(LineOutput.harmless(TextReport.of(folder).stripTrailing()));
    }

    private ImportedRun result(Path file, String text, int trial) {
        try {
            String named =
                    ValueForm.convert("name", file.getFileName().toString().replaceFirst("\\.[^.]*$", ""));
            if (tool.equals("perf")) {
                return new PerfLog(text, trial).run("imported-" + named);
            }
            // Tabs are allowed in JSON, but not in YAML.
            Tree.Section json = map(file, text.replace('\t', ' '), OmbResult.KIND, List.of(OmbResult.RATE));
            return new OmbResult(json).run("imported-" + named, trial);
        } catch (Problems problems) {
            Problem first = problems.list().get(0);
            throw wrong("'" + file + "' (line " + first.line() + ") is not the JSON of a whole result: "
                    + first.message().replaceFirst("^this is not YAML: ", ""));
        } catch (IllegalArgumentException e) {
            throw wrong("'" + file + "' has no result: " + e.getMessage());
        }
    }

    private String from() {
        return tool.equals("perf")
                ? ""
                : " from " + Path.of(source).getFileName()
                        + more.stream()
                                .map(driver -> " and " + driver.getFileName())
                                .collect(Collectors.joining());
    }

    private SourceKeys keys(Tree.Section table) {
        return switch (tool) {
            case "omb" -> omb(table);
            case "perf" -> perf(table);
            case "k6" -> k6();
            default -> trogdor(table);
        };
    }

    private SourceKeys omb(Tree.Section table) {
        SourceKeys keys = new SourceKeys();
        Path workload = Path.of(source);
        keys.add("", map(workload, read(workload), "a workload of OpenMessaging Benchmark", table.texts("needed")));
        for (Path driver : more) {
            Tree.Section read =
                    map(driver, read(driver), "a driver of OpenMessaging Benchmark", List.of("driverClass"));
            if (!read.text("driverClass").contains("Kafka")) {
                throw wrong("driverClass: must be the Kafka driver, found '" + read.text("driverClass") + "'");
            }
            keys.put("driver.name", read.text("name"));
            keys.add("", read.without("name"));
        }
        table.texts("properties").forEach(keys::expandProperties);
        return keys;
    }

    private SourceKeys perf(Tree.Section table) {
        SourceKeys keys = PerfCommandLine.read(source, table);
        if (!keys.has("tool")) {
            throw wrong("the command must begin with a tool of Kafka, one of "
                    + String.join(", ", table.section("tools").entries().keySet()) + "; no file has this name");
        }
        return keys;
    }

    private SourceKeys k6() {
        SourceKeys keys = K6Script.read(read(Path.of(source)));
        if (!keys.has("calls")) {
            throw wrong("'" + source + "' is not a script of xk6-kafka: it has no 'new Writer' or 'new Reader'");
        }
        return keys;
    }

    private SourceKeys trogdor(Tree.Section table) {
        Path spec = Path.of(source);
        // The comments of Trogdor's files are not YAML. All else of JSON is YAML, too.
        String json = read(spec).replaceAll("(?m)^\\s*//.*$", "").replace('\t', ' ');
        Tree.Section read = map(spec, json, "a task of Trogdor", List.of("class"));
        String kind = read.text("class").replaceFirst(".*\\.", "");
        if (!table.texts("classes").contains(kind)) {
            throw wrong(
                    "class: must be one of " + String.join(", ", table.texts("classes")) + ", found '" + kind + "'");
        }
        SourceKeys keys = new SourceKeys();
        keys.add("", read.without("activeTopics"));
        read.items("activeTopics")
                .forEach(name -> keys.put("activeTopics." + name.line() + ".topics", topics(name.line())));
        read.section("activeTopics").entries().forEach((name, topic) -> {
            if (!topics(name).equals("1")) {
                keys.put("activeTopics." + name + ".topics", topics(name));
            }
            keys.add("activeTopics." + name, topic);
        });
        return keys;
    }

    /** The number of topics that a name with ranges stands for. */
    private static String topics(String name) {
        long topics = 1;
        Matcher range = RANGE.matcher(name.replaceFirst(":.*", ""));
        while (range.find()) {
            topics *= Long.parseLong(range.group(2)) - Long.parseLong(range.group(1)) + 1;
        }
        return String.valueOf(topics);
    }

    private String read(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
                throw new IOException("this file is missing, not a regular file, or larger than 3 MiB");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw wrong("'" + file + "' cannot be read (" + e.getMessage() + ")");
        }
    }

    private Tree.Section map(Path file, String text, String kind, List<String> needed) {
        Findings findings = new Findings();
        Optional<Tree> tree = YamlTree.parse(Origin.Source.of(file.toString(), text), text, "file", findings);
        findings.throwAny();
        if (!(tree.orElse(null) instanceof Tree.Section section)) {
            throw wrong("'" + file + "' is not " + kind + ": it has no keys");
        }
        needed.stream().filter(key -> !section.has(key)).findFirst().ifPresent(key -> {
            throw wrong("'" + file + "' is not " + kind + ": it has no key '" + key + "'");
        });
        return section;
    }

    /** A reader of command lines of Kafka's performance tools. */
    static final class PerfCommandLine {
        private PerfCommandLine() {}

        /** The flags of a command line, by name. No flags if it starts none of the tools. */
        static SourceKeys read(String command, Tree.Section table) {
            SourceKeys keys = new SourceKeys();
            Iterator<String> rest =
                    ShellWord.split(command.replaceAll("\\\\\r?\n", " ")).iterator();
            String tool = "";
            while (tool.isEmpty() && rest.hasNext()) {
                String word = rest.next().replaceFirst(".*[/.](?!sh$|bat$)", "").replaceFirst("\\.(sh|bat)$", "");
                tool = table.section("tools").text(word);
            }
            if (tool.isEmpty()) {
                return keys;
            }
            keys.put("tool", tool);
            List<String> left = new ArrayList<>();
            rest.forEachRemaining(left::add);
            if (!left.isEmpty() && !left.get(0).startsWith("--")) {
                List<String> names = table.texts("positions of " + tool);
                for (int i = 0; i < left.size(); i++) {
                    keys.put(i < names.size() ? names.get(i) : left.get(i), i < names.size() ? left.get(i) : "");
                }
                return keys;
            }
            flags(left, table.texts("properties"), keys);
            return keys;
        }

        private static void flags(List<String> words, List<String> properties, SourceKeys keys) {
            String flag = "";
            for (String word : words) {
                int equals = word.indexOf('=');
                if (word.startsWith("--")) {
                    flag = equals < 0 ? word : word.substring(0, equals);
                    if (!properties.contains(flag)) {
                        keys.put(flag, equals < 0 ? "" : word.substring(equals + 1));
                    } else if (equals > 0) {
                        property(flag, word.substring(equals + 1), keys);
                    }
                } else if (properties.contains(flag)) {
                    property(flag, word, keys);
                } else {
                    keys.put(flag.isEmpty() ? word : flag, word);
                }
            }
        }

        private static void property(String flag, String word, SourceKeys keys) {
            for (String property : word.split(",(?=[a-z.]+=)", -1)) {
                int equals = property.indexOf('=');
                keys.put(
                        flag + "." + (equals < 0 ? property : property.substring(0, equals)),
                        equals < 0 ? "" : property.substring(equals + 1));
            }
        }
    }
}
