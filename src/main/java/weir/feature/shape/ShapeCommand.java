package weir.feature.shape;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.cli.CliCommand;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.SignalHandler;
import weir.cli.terminal.HumanAmount;
import weir.cli.terminal.LineOutput;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.plan.Problems;
import weir.plan.Rate;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.time.MachineClock;

/** The {@code weir shape} command, which writes an experiment file with the load of a running cluster. */
@Command(
        name = "shape",
        header = "Write an experiment file with the load of your cluster.",
        footer = "Example: weir shape --bootstrap-server"
                + " kafka-1:9092 --topics 'orders.*' --for 10m --out shop.yaml",
        description = {
            "Reads new records of the topics, and writes an experiment file with the same rates, sizes, keys, codecs and"
                    + " batches. The file has no key, value or header of a record.",
            "The command changes nothing on the cluster, joins no group, and needs only the rights DESCRIBE and READ on"
                    + " the topics. Ctrl-C ends the observation early."
        })
public final class ShapeCommand extends CliCommand implements Runnable {
    private static final Duration SHORTEST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final int MOST_TOPICS = 100;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--topics",
            paramLabel = "REGEX",
            description = "Topics to observe, as a regular expression (default: all topics that Kafka does not use"
                    + " itself).")
    private String topics = ".*";

    @Option(names = "--for", paramLabel = "TIME", description = "Length of the observation (default: 10m).")
    private Duration length = Duration.ofMinutes(10);

    @Option(
            names = "--max-rate",
            paramLabel = "RATE",
            description = "Highest rate at which the command reads (default: 5MB/s). It skips records above this rate.")
    private Rate maxRate = new Rate(5e6, Rate.Unit.BYTES);

    @Option(names = "--out", paramLabel = "FILE", description = "Experiment file to write (default: shape.yaml).")
    private Path file = Path.of("shape.yaml");

    @Option(names = "--show", description = "Print the experiment file, and write no file.")
    private boolean show;

    @Override
    public void run() {
        Pattern pattern = check();
        try (Cluster cluster = CommandLineCluster.connect(command(), connection);
                TopicFacts facts = new TopicFacts(cluster)) {
            Set<String> names = facts.names(pattern);
            if (names.isEmpty()) {
                throw new ClusterUnavailable(cluster.bootstrap() + " shows no topic that matches '" + topics
                        + "'; check --topics, and the right DESCRIBE on the topics");
            }
            if (names.size() > MOST_TOPICS) {
                throw wrong("--topics: must match at most " + MOST_TOPICS + " topics, found '" + names.size() + "'");
            }
            write(observe(cluster, facts, names));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Pattern check() {
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw wrong("--for: must be from 5s to 24h, found '" + HumanAmount.time(length) + "'");
        }
        if (maxRate.unit() != Rate.Unit.BYTES || maxRate.perSecond() < 1000) {
            throw wrong("--max-rate: must be at least 1kB/s, such as 5MB/s, found '" + maxRate.text() + "'");
        }
        if (!show && Files.exists(file)) {
            throw exists();
        }
        if (!show && !Files.isDirectory(file.resolveSibling("").toAbsolutePath())) {
            throw wrong("--out: the folder of '" + file + "' does not exist");
        }
        try {
            return Pattern.compile(topics);
        } catch (PatternSyntaxException e) {
            throw wrong("--topics: '" + LineOutput.harmless(topics) + "' is not a regular expression ("
                    + e.getDescription() + "); write it like 'orders.*'");
        }
    }

    private RuntimeException exists() {
        return wrong("'" + file + "' exists; name another file: --out FILE");
    }

    private String observe(Cluster cluster, TopicFacts facts, Set<String> names) throws InterruptedException {
        List<String> remarks = new ArrayList<>();
        SortedMap<String, TopicFacts.Topic> described = facts.topics(names, remarks);
        Instant began = MachineClock.WALL.instant().truncatedTo(ChronoUnit.SECONDS);
        long salt = new SecureRandom().nextLong();
        List<ObservedTopic> observed = names.stream()
                .map(name -> new ObservedTopic(name, salt, length))
                .toList();
        err().println("reading new records of " + HumanAmount.count(names.size(), "topic") + " for "
                + HumanAmount.time(length) + ", at most " + maxRate.text());
        try (LogReader reader = new LogReader(cluster, observed, maxRate.perSecond());
                SignalHandler interrupts = new SignalHandler(() -> {})) {
            reader.read(length, interrupts::within);
            if (observed.stream().noneMatch(topic -> topic.bytesPerSecond() > 0)) {
                throw new ClusterUnavailable("no record arrived in " + HumanAmount.count(names.size(), "topic") + ": "
                        + observed.stream()
                                .flatMap(topic -> topic.remarks().stream())
                                .distinct()
                                .findFirst()
                                .orElse("observe busier topics, or longer (--for)"));
            }
            return ShapeFile.of(
                    file.toString(),
                    new ShapeFile.Observation(
                            cluster.bootstrap() + " (Kafka " + cluster.version() + ")",
                            cluster.brokers().size(),
                            began.toString(),
                            HumanAmount.time(Duration.between(began, MachineClock.WALL.instant())),
                            observed,
                            described,
                            facts.groups(names, remarks),
                            remarks,
                            reader.ends()));
        }
    }

    private void write(String text) {
        if (show) {
            out().print(text);
            out().flush();
        } else {
            try {
                Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                throw exists();
            } catch (IOException e) {
                throw wrong("--out: '" + file + "' cannot be written (" + e.getMessage() + ")");
            }
            out().println(file);
        }
        try {
            PlanReader.read(file, text, Overrides.NONE);
            err().println("Read the comments of the file, then: weir check " + file + " && weir run " + file);
        } catch (Problems problems) {
            err().println("weir run does not accept this file yet; edit these lines:");
            err().println(LineOutput.harmless(String.valueOf(problems.getMessage())));
        }
    }
}
