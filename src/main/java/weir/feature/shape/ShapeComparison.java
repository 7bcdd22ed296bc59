package weir.feature.shape;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import weir.cli.terminal.HumanAmount;
import weir.judge.caveat.CaveatCollector;
import weir.load.message.KeySource;
import weir.load.message.Payloads;
import weir.load.message.ValueSource;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.KeySpec;
import weir.plan.LoadSpec;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.syntax.CaveatType;
import weir.results.RunFiles;
import weir.results.TrialFolder;
import weir.results.value.NumberFormat;
import weir.run.lab.TrialExtension;
import weir.time.DaemonThreads;

/** The comparison of a trial's load with the records that Weir reads from the topic of the load at the same time. */
final class ShapeComparison implements TrialExtension {
    private static final CaveatType SHAPE_DIFFERS = CaveatType.named("shape-differs");
    private static final String FILE = "shape.json";
    private static final double MOST_DISTANCE = 0.05;
    private static final int MOST_SAMPLES = 1_000_000;
    private static final Duration SLACK = Duration.ofMinutes(1);
    private static final Duration UNKNOWN_LENGTH = Duration.ofHours(1);

    private final Stage stage;
    private final ObservedTopic topic;
    private final long salt = new SplittableRandom().nextLong();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread reading;
    private final List<String> notes = new ArrayList<>();
    private Instant from = Instant.EPOCH;
    private Instant to = Instant.EPOCH;

    /**
     * One property of the load.
     *
     * @param distance between both distributions; negative if the property has no distribution
     */
    record Row(String property, String requested, String found, double distance) {
        private static final double NONE = -1;

        static Row of(String property, String requested, String found) {
            return new Row(property, requested, found, NONE);
        }

        String distanceText() {
            return distance < 0 ? NumberFormat.MISSING : String.format(Locale.ROOT, "%.3f", distance);
        }
    }

    record Result(List<Row> rows, List<String> notes) {
        Result {
            rows = List.copyOf(rows);
            notes = List.copyOf(notes);
        }

        static List<Result> of(TrialFolder trial) {
            return Files.exists(trial.path().resolve(FILE)) ? List.of(trial.stored(FILE, Result.class)) : List.of();
        }
    }

    private ShapeComparison(Stage stage, double bytesPerSecond) {
        this.stage = stage;
        Variant variant = stage.trial().variant();
        Duration known = variant.warmup()
                .length()
                .plus(variant.load().rate().length())
                .plus(variant.measure().length());
        Duration length = (known.isZero() ? UNKNOWN_LENGTH : known).plus(SLACK);
        this.topic = new ObservedTopic(stage.topics().get(0), salt, length);
        this.reading = DaemonThreads.of("weir-shape", () -> read(bytesPerSecond, length));
    }

    static List<TrialExtension> attach(Stage stage) {
        double read = stage.trial()
                .variant()
                .load()
                .part(ShapeFeature.ShapeSpec.class)
                .read()
                .bytes();
        return read > 0 && stage.trial().answers() ? List.of(new ShapeComparison(stage, read)) : List.of();
    }

    private void read(double bytesPerSecond, Duration length) {
        try (LogReader reader = new LogReader(stage.cluster(), List.of(topic), bytesPerSecond)) {
            reader.read(length, nanos -> stop.await(nanos, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            topic.remark("the comparison of shapes ended early: " + e.getMessage());
        }
    }

    @Override
    public void begin() {
        reading.start();
    }

    @Override
    public void end(Instant began, Instant ended) {
        from = began;
        to = ended;
        stop.countDown();
    }

    @Override
    public List<String> taken() {
        close();
        notes.addAll(topic.remarks());
        if (topic.unread > 0) {
            notes.add("Weir skipped " + HumanAmount.count(topic.unread, "record") + " of the topic, so the table has no"
                    + " arrivals; raise load.shape.read");
        }
        if (stage.topics().size() > 1) {
            notes.add("Weir read one of " + HumanAmount.count(stage.topics().size(), "topic")
                    + ", so the table has no arrivals");
        }
        RunFiles.put(stage.folder().resolve(FILE), new Result(topic.records == 0 ? List.of() : rows(), notes));
        return List.copyOf(notes);
    }

    @Override
    public void close() {
        stop.countDown();
        DaemonThreads.join(reading, SLACK.toMillis());
    }

    static void ofTrial(TrialFolder trial, CaveatCollector caveats) {
        Result.of(trial).stream()
                .flatMap(result -> result.rows.stream())
                .filter(row -> row.distance > MOST_DISTANCE)
                .forEach(row -> caveats.add(SHAPE_DIFFERS, row.property, row.requested, row.found, row.distance));
    }

    private List<Row> rows() {
        LoadSpec load = stage.trial().variant().load();
        List<Row> rows = new ArrayList<>();
        if (topic.unread == 0 && stage.topics().size() == 1 && !load.rate().closed()) {
            arrivals(load, rows);
        }
        content(load, rows);
        String codec = load.producers().properties().getOrDefault("compression.type", ObservedTopic.CODECS.get(0));
        long batches = Math.max(1, Arrays.stream(topic.codecBatches).sum());
        int asked = ObservedTopic.CODECS.indexOf(codec);
        rows.add(new Row(
                "codec of batches",
                codec,
                topic.codecs(),
                asked < 0 ? 1 : 1 - (double) topic.codecBatches[asked] / batches));
        rows.add(Row.of(
                "batches",
                "at most " + load.producers().properties().getOrDefault("batch.size", "16384") + "B",
                topic.batchBytes.summary() + ", " + NumberFormat.threeDigits(topic.batchRecords.mean()) + " records"));
        if (load.transaction() instanceof TransactionSpec.Records transaction && topic.transactions() > 0) {
            rows.add(Row.of(
                    "records per transaction",
                    String.valueOf(transaction.records()),
                    NumberFormat.threeDigits(topic.transactional / topic.transactions())));
        }
        return rows;
    }

    private void arrivals(LoadSpec load, List<Row> rows) {
        Schedule schedule = Schedules.of(
                load.rate(),
                stage.trial().variant().measure(),
                load.senders(),
                stage.experiment().seed());
        Arrivals.Comparison arrivals = topic.arrivals.compare(schedule, from.toEpochMilli(), to.toEpochMilli());
        if (arrivals.windows() > 1) {
            rows.add(new Row(
                    "arrivals over time",
                    load.rate().text(),
                    NumberFormat.rate(arrivals.perSecond()),
                    arrivals.distance()));
        }
        if (arrivals.windows() > 1 && load.transaction().none()) {
            rows.add(Row.of(
                    "variance ÷ mean of records in " + arrivals.windowMillis() + " ms",
                    NumberFormat.threeDigits(arrivals.requested()),
                    NumberFormat.threeDigits(arrivals.found())));
        }
    }

    private void content(LoadSpec load, List<Row> rows) {
        Payloads payloads = Payloads.of(
                load, stage.experiment().folder(), stage.experiment().seed());
        int producers = load.producers().count();
        ObservedTopic requested = new ObservedTopic("", salt, Duration.ZERO);
        List<ValueSource> values =
                IntStream.range(0, producers).mapToObj(payloads.values()).toList();
        List<KeySource> keys =
                IntStream.range(0, producers).mapToObj(payloads.keys()).toList();
        for (long i = 0; i < Math.min(MOST_SAMPLES, topic.records); i++) {
            int producer = (int) (i % producers);
            byte[] value = values.get(producer).next(i / producers);
            byte[] key = keys.get(producer).next(i / producers, value);
            requested.add(
                    ByteBuffer.wrap(key),
                    0,
                    load.messages().key() instanceof KeySpec.None ? -1 : key.length,
                    value.length);
        }
        rows.add(sizes("sizes of values", requested.values, topic.values));
        @Nullable KeySketch wanted = requested.keySketch();
        @Nullable KeySketch found = topic.keySketch();
        if (wanted == null || found == null) {
            rows.add(new Row(
                    "keys",
                    wanted == null ? "none" : "keys",
                    found == null ? "none" : "keys",
                    wanted == found ? 0 : 1));
            return;
        }
        rows.add(sizes("sizes of keys", requested.keys, topic.keys));
        rows.add(new Row("keys", wanted.summary(), found.summary(), wanted.distance(found)));
    }

    private static Row sizes(String property, Sizes requested, Sizes found) {
        return new Row(property, requested.summary(), found.summary(), requested.distance(found));
    }
}
