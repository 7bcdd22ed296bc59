package weir.feature.monitor;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.FormattedCommand;
import weir.cli.SignalHandler;
import weir.cli.terminal.HumanAmount;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;
import weir.results.ResultJson;
import weir.time.MachineClock;

/** The {@code weir monitor} command, which reports the rate at which a topic grows. */
@Command(
        name = "monitor",
        header = "Measure how fast a topic grows.",
        footer = "Example: weir monitor orders --bootstrap-server" + " kafka-1:9092",
        description = {
            "Adds up the end offsets of all partitions in every interval. Transaction markers and aborted records"
                    + " count like other records. Rates cover the time from the first to the last change. If the growth"
                    + " stops, rates exclude the last change. line/s is a regression slope; ±/s is its standard error."
        })
public final class MonitorCommand extends FormattedCommand implements Runnable {
    private static final int MOST_FAILURES = 5;
    private static final String ROW = "%7s %9s %14s %12s %12s %12s %10s%n";

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--interval", paramLabel = "TIME", description = "Time between samples (default: 1s).")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--samples", paramLabel = "N", description = "Number of samples.")
    private int samples = Integer.MAX_VALUE;

    @Option(
            names = "--until-idle",
            paramLabel = "N",
            description = "Stop after N samples in a row without growth. Samples before the first growth do not count.")
    private int untilIdle = Integer.MAX_VALUE;

    @Parameters(paramLabel = "TOPIC", description = "Name of the topic.")
    private String topic = "";

    @Override
    public void run() {
        if (interval.isZero()) {
            throw wrong("--interval: must be at least 1ms, found '0s'");
        }
        if (samples < 1 || untilIdle < 1) {
            throw wrong("--samples and --until-idle must be at least 1");
        }
        CommandLineCluster.checkTopic(command(), topic);
        GrowthRate growth = new GrowthRate();
        try (Cluster cluster = CommandLineCluster.connect(command(), connection);
                EndOffsets offsets = new EndOffsets(cluster, topic);
                SignalHandler interrupts = new SignalHandler(() -> {})) {
            watch(offsets, growth, interrupts);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        summary(growth);
    }

    private void watch(EndOffsets offsets, GrowthRate growth, SignalHandler interrupts) throws InterruptedException {
        LongSupplier clock = MachineClock.STEADY;
        long began = clock.getAsLong();
        int failures = 0;
        for (int number = 0; number < samples && growth.idle() < untilIdle; number++) {
            long due = began + number * interval.toNanos();
            if (interrupts.within(due - clock.getAsLong())) {
                return;
            }
            try {
                int partitions = offsets.partitions();
                long count = offsets.sum();
                if (number > 0 && offsets.partitions() > partitions) {
                    err().println("topic '" + topic + "' now has " + offsets.partitions() + " partitions, "
                            + (offsets.partitions() - partitions) + " more");
                }
                if (number == 0 && !format.json()) {
                    out().printf(ROW, "sample", "seconds", "offsets", "last/s", "average/s", "line/s", "±/s");
                }
                print(growth.add((clock.getAsLong() - began) / 1e9, count));
                failures = 0;
            } catch (ClusterUnavailable e) {
                // The command waits for a restarting broker, but not for a missing topic.
                failures++;
                if (number == 0 || failures == MOST_FAILURES || offsets.gone()) {
                    throw e;
                }
                err().println(e.getMessage());
            }
        }
    }

    private void print(GrowthRate.Sample sample) {
        PrintWriter out = out();
        if (format.json()) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("sample", sample.number());
            object.put("seconds", sample.seconds());
            object.put("count", sample.count());
            object.put("lastPerSecond", known(sample.sincePrevious()));
            rates(object, sample.sinceFirst(), sample.line());
            out.println(ResultJson.line(object));
        } else {
            out.printf(
                    ROW,
                    sample.number(),
                    String.format(Locale.ROOT, "%.1f", sample.seconds()),
                    String.format(Locale.ROOT, "%,d", sample.count()),
                    text(sample.sincePrevious()),
                    text(sample.sinceFirst()),
                    text(sample.line().slope()),
                    text(sample.line().error()));
            out.flush();
        }
    }

    private void summary(GrowthRate growth) {
        PrintWriter out = out();
        if (format.json()) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            object.put("topic", topic);
            object.put("samples", growth.samples());
            object.put("growing", growth.growing());
            object.put("count", growth.count());
            rates(object, growth.average(), growth.line());
            out.println(ResultJson.line(object));
        } else {
            out.printf(
                    "%s: %,d offsets, %s, %d of them while it grew; average %s/s, line %s ± %s/s%n",
                    topic,
                    growth.count(),
                    HumanAmount.count(growth.samples(), "sample"),
                    growth.growing(),
                    text(growth.average()),
                    text(growth.line().slope()),
                    text(growth.line().error()));
        }
        out.flush();
    }

    private static void rates(Map<String, @Nullable Object> object, double average, GrowthRate.Line line) {
        object.put("averagePerSecond", known(average));
        object.put("linePerSecond", known(line.slope()));
        object.put("lineError", known(line.error()));
    }

    private static @Nullable Double known(double figure) {
        return Double.isNaN(figure) ? null : figure;
    }

    private static String text(double figure) {
        return Double.isNaN(figure) ? "-" : String.format(Locale.ROOT, "%,.1f", figure);
    }

    /**
     * The growth rate of a count that never falls, from the first to the last changed sample. If growth has stopped,
     * the last changed sample is excluded, because it had writes for only a part of its interval.
     */
    static final class GrowthRate {
        private final List<Point> points = new ArrayList<>();
        private Point previous = new Point(0, -1);
        private int samples;
        private int unchanged;

        private record Point(double seconds, long count) {}

        /** One sample, with the rates up to it; NaN with too few samples. */
        record Sample(int number, double seconds, long count, double sincePrevious, double sinceFirst, Line line) {}

        /** A least-squares line: its {@code slope} in records per second, with the standard error of the slope. */
        record Line(double slope, double error) {
            static final Line NONE = new Line(Double.NaN, Double.NaN);
        }

        Sample add(double seconds, long count) {
            Point last = previous;
            Point now = new Point(seconds, count);
            boolean first = last.count() < 0;
            previous = now;
            samples++;
            unchanged = count == last.count() ? unchanged + 1 : 0;
            boolean begun = !points.isEmpty() || (!first && count > last.count());
            if (begun) {
                points.add(now);
            }
            double step = first ? Double.NaN : (count - last.count()) / (seconds - last.seconds());
            return new Sample(samples, seconds, count, step, average(), line());
        }

        int idle() {
            return points.isEmpty() ? 0 : unchanged;
        }

        long count() {
            return Math.max(0, previous.count());
        }

        int samples() {
            return samples;
        }

        int growing() {
            return whileGrowing().size();
        }

        double average() {
            List<Point> taken = whileGrowing();
            if (taken.size() < 2) {
                return Double.NaN;
            }
            Point first = taken.get(0);
            Point last = taken.get(taken.size() - 1);
            return (last.count() - first.count()) / (last.seconds() - first.seconds());
        }

        Line line() {
            List<Point> taken = whileGrowing();
            int n = taken.size();
            if (n < 2) {
                return Line.NONE;
            }
            // Sums are around the means, because epochs and offsets are large and their differences small.
            double meanSeconds =
                    taken.stream().mapToDouble(Point::seconds).average().orElse(0);
            double meanCount =
                    taken.stream().mapToDouble(Point::count).average().orElse(0);
            double xx = 0;
            double xy = 0;
            double yy = 0;
            for (Point point : taken) {
                double x = point.seconds() - meanSeconds;
                double y = point.count() - meanCount;
                xx += x * x;
                xy += x * y;
                yy += y * y;
            }
            double slope = xy / xx;
            double residual = Math.max(0, yy - slope * xy);
            return new Line(slope, n > 2 ? Math.sqrt(residual / (n - 2) / xx) : Double.NaN);
        }

        private List<Point> whileGrowing() {
            int stopped = points.isEmpty() || unchanged == 0 ? 0 : unchanged + 1;
            return points.subList(0, points.size() - stopped);
        }
    }

    static final class EndOffsets implements AutoCloseable {
        private final AdminAnswers answers;
        private final String topic;
        private final Map<TopicPartition, Long> ends = new HashMap<>();
        /** The id of the topic; zero before the first answer, and for brokers without topic ids. */
        private Uuid id = Uuid.ZERO_UUID;

        private boolean gone;

        public EndOffsets(Cluster cluster, String topic) {
            this(new AdminAnswers(cluster.clientProperties(), StartTimeouts.of(Duration.ofSeconds(60))), topic);
        }

        EndOffsets(AdminAnswers answers, String topic) {
            this.answers = answers;
            this.topic = topic;
        }

        /**
         * Returns the sum of the end offsets: records, transaction markers, and aborted or removed records.
         *
         * @throws ClusterUnavailable if no broker answers, or if the topic is {@link #gone}
         */
        public long sum() {
            try {
                TopicDescription found =
                        Objects.requireNonNull(answers.describe(List.of(topic)).get(topic));
                boolean another = !found.topicId().equals(id) && !id.equals(Uuid.ZERO_UUID);
                // The query repeats each time, because partitions may be added.
                Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
                found.partitions()
                        .forEach(one -> latest.put(new TopicPartition(topic, one.partition()), OffsetSpec.latest()));
                Map<TopicPartition, ListOffsetsResultInfo> answered = answers.to(
                        "offsets of " + topic,
                        admin -> admin.listOffsets(latest).all());
                id = found.topicId();
                boolean fewer = answered.entrySet().stream()
                        .anyMatch(end -> end.getValue().offset() < ends.getOrDefault(end.getKey(), 0L));
                if (another || (id.equals(Uuid.ZERO_UUID) && (fewer || latest.size() < ends.size()))) {
                    gone = true;
                    throw new ClusterUnavailable(
                            "topic '" + topic + "' was deleted and created again during the watch");
                }
                // A new leader may briefly report a lower end than its predecessor.
                answered.forEach((partition, end) -> ends.merge(partition, end.offset(), Math::max));
                return ends.values().stream().mapToLong(end -> end).sum();
            } catch (UnknownTopicOrPartitionException e) {
                gone = !ends.isEmpty();
                throw new ClusterUnavailable(
                        "topic '" + topic + (gone ? "' was deleted during the watch" : "': " + e.getMessage()), e);
            } catch (KafkaException e) {
                throw new ClusterUnavailable("topic '" + topic + "': " + e.getMessage(), e);
            }
        }

        public int partitions() {
            return ends.size();
        }

        public boolean gone() {
            return gone;
        }

        @Override
        public void close() {
            answers.close();
        }
    }
}
