package weir.feature.imports;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.ShellWord;
import weir.plan.syntax.Tree;
import weir.plan.syntax.YamlTree;

/** The {@code weir import} command, which makes an experiment file from a file or command of another tool. */
@Command(
        name = "import",
        header = "Make an experiment file from a file or command of another tool.",
        footer = "Example: weir" + " import omb workload.yaml driver.yaml --out experiment.yaml",
        synopsisSubcommandLabel = "omb|perf|k6|trogdor",
        subcommands = {
            ImportCommand.Omb.class,
            ImportCommand.Perf.class,
            ImportCommand.K6.class,
            ImportCommand.Trogdor.class
        })
public final class ImportCommand extends CliCommand implements Runnable {
    @Override
    public void run() {
        throw wrong("name a tool: weir import omb, weir import perf, weir import k6, or weir import trogdor");
    }

    /** The part that all formats share: the output, and reading files. */
    abstract static class Import extends CliCommand implements Runnable {
        private static final long LARGEST = 1 << 20;

        @Option(names = "--out", paramLabel = "FILE", description = "New file for the experiment (default: print it).")
        private @Nullable Path out;

        abstract String experiment();

        @Override
        public final void run() {
            String text;
            try {
                text = experiment();
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

        final String read(Path file) {
            try {
                if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
                    throw new IOException("this file is missing, not a regular file, or larger than 1 MiB");
                }
                return Files.readString(file);
            } catch (IOException e) {
                throw wrong("'" + file + "' cannot be read (" + e.getMessage() + ")");
            }
        }

        /** Reads YAML or JSON, and refuses a file without one of the keys that such a file always has. */
        final Tree.Section map(Path file, String text, String kind, List<String> needed) {
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
    }

    @Command(
            name = "omb",
            header = "Make an experiment file from a workload and a Kafka driver of OpenMessaging Benchmark.",
            footer = "Example:" + " weir import omb workloads/simple-workload.yaml driver-kafka/kafka.yaml")
    static final class Omb extends Import {
        @Parameters(index = "0", paramLabel = "WORKLOAD", description = "The workload, as YAML.")
        private Path workload = Path.of("");

        @Parameters(index = "1", arity = "0..1", paramLabel = "DRIVER", description = "The Kafka driver, as YAML.")
        private @Nullable Path driver;

        @Override
        String experiment() {
            SourceKeys keys = new SourceKeys();
            List<String> needed = List.of("topics", "partitionsPerTopic", "messageSize", "testDurationMinutes");
            keys.add("", map(workload, read(workload), "a workload of OpenMessaging Benchmark", needed));
            if (driver != null) {
                Tree.Section read =
                        map(driver, read(driver), "a driver of OpenMessaging Benchmark", List.of("driverClass"));
                if (!read.text("driverClass").contains("Kafka")) {
                    throw wrong("driverClass: must be the Kafka driver, found '" + read.text("driverClass") + "'");
                }
                keys.put("driver.name", read.text("name"));
                keys.add("", read.without("name"));
            }
            List.of("topicConfig", "commonConfig", "producerConfig", "consumerConfig").forEach(keys::expandProperties);
            return Translation.of(
                    "Made by weir import omb from " + workload.getFileName()
                            + (driver == null ? "" : " and " + driver.getFileName()) + ".",
                    Translation.table("omb"),
                    keys);
        }
    }

    @Command(
            name = "perf",
            header = "Make an experiment file from a command line of Kafka's performance tools.",
            footer = "Example:" + " weir import perf 'kafka-producer-perf-test --topic t --num-records 100000"
                    + " --record-size 1000 --throughput 5000 --bootstrap-server kafka-1:9092'")
    static final class Perf extends Import {
        @Parameters(paramLabel = "COMMAND", description = "The whole command line, in quotes.")
        private String command = "";

        @Override
        String experiment() {
            Tree.Section table = Translation.table("perf");
            try {
                SourceKeys keys = PerfCommandLine.read(command, table);
                return Translation.of("Made by weir import perf.", table, keys);
            } catch (IllegalArgumentException e) {
                throw wrong(String.valueOf(e.getMessage()));
            }
        }
    }

    @Command(
            name = "k6",
            header = "Make an experiment file from a k6 script that uses xk6-kafka.",
            description = "The command reads constants and object literals. It does not execute the script.",
            footer = "Example:" + " weir import k6 script.js")
    static final class K6 extends Import {
        @Parameters(paramLabel = "SCRIPT", description = "The script, as JavaScript.")
        private Path script = Path.of("");

        @Override
        String experiment() {
            SourceKeys keys = K6Script.read(read(script));
            if (keys.values().isEmpty()) {
                throw wrong("'" + script + "' is not a script of xk6-kafka: it has no 'new Writer' or 'new Reader'");
            }
            return Translation.of(
                    "Made by weir import k6 from " + script.getFileName() + ".", Translation.table("k6"), keys);
        }
    }

    @Command(
            name = "trogdor",
            header = "Make an experiment file from a task specification of Trogdor.",
            footer = "Example:" + " weir import trogdor produce.json")
    static final class Trogdor extends Import {
        private static final Pattern RANGE = Pattern.compile("\\[([0-9]{1,6})-([0-9]{1,6})]");

        @Parameters(paramLabel = "SPEC", description = "The specification, as JSON.")
        private Path spec = Path.of("");

        @Override
        String experiment() {
            Tree.Section table = Translation.table("trogdor");
            // Trogdor's parser accepts comments; YAML, which includes JSON, has other ones.
            String json = read(spec).replaceAll("(?m)^\\s*//.*$", "").replace('\t', ' ');
            Tree.Section read = map(spec, json, "a task of Trogdor", List.of("class"));
            String kind = read.text("class").replaceFirst(".*\\.", "");
            if (!table.texts("classes").contains(kind)) {
                throw wrong("class: must be one of " + String.join(", ", table.texts("classes")) + ", found '" + kind
                        + "'");
            }
            SourceKeys keys = new SourceKeys();
            keys.add("", read.without("activeTopics"));
            read.items("activeTopics").forEach(name ->
                    keys.put("activeTopics." + name.line() + ".topics", topics(name.line())));
            read.section("activeTopics").entries().forEach((name, topic) -> {
                if (!topics(name).equals("1")) {
                    keys.put("activeTopics." + name + ".topics", topics(name));
                }
                keys.add("activeTopics." + name, topic);
            });
            return Translation.of("Made by weir import trogdor from " + spec.getFileName() + ".", table, keys);
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
    }
}
