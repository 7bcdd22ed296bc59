package weir.report.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import weir.io.Io;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.WindowRow;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/**
 * A run as the CSV files of Knative's performance tests, for Knative's gnuplot scripts. Each trial is a folder {@code
 * run-1/VARIANT}. Each line is {@code epoch in milliseconds,value}, without a heading. Knative's publish latency is
 * Weir's service latency. Knative's delivery latency is Weir's end-to-end latency. As in Knative, the percentiles of a
 * second cover all messages up to this second.
 */
public record KnativeFiles(TrialFolder trial, TrialResult result, Path folder, double startMillis) {
    /** The limit of points in one second. Above the limit, each distinct value is written once. */
    private static final int MOST_POINTS = 10_000;

    public static void write(RunFolder run, Path below) {
        for (TrialFolder trial : run.trials()) {
            TrialFolder.Started started = trial.started();
            Path folder = below.resolve("run-" + started.repeat())
                    .resolve(started.variant().replace('/', '_'));
            Io.attempt("writing " + folder, () -> {
                Files.createDirectories(folder);
                new KnativeFiles(trial, trial.result(), folder, trial.startMillis()).write();
            });
        }
    }

    private record Point(double millis, double value) {}

    private void write() throws IOException {
        latencies("publish", "service");
        latencies("delivery", "e2e");
        List<WindowRow> rows = trial.windows().stream().filter(this::measured).toList();
        List<Point> sent = new ArrayList<>();
        List<Point> received = new ArrayList<>();
        List<Point> failed = new ArrayList<>();
        for (WindowRow row : rows) {
            double at = at(row.second() + row.seconds());
            // A pause has no points, because no message is due in it.
            if (row.due() + row.sent() + row.received() > 0) {
                sent.add(new Point(at, row.sent() / row.seconds()));
                received.add(new Point(at, row.received() / row.seconds()));
            }
            if (row.failed() > 0) {
                failed.add(new Point(at, row.failed() / row.seconds()));
            }
        }
        put("send-throughput", sent);
        put("delivery-throughput", received);
        put("send-failure-throughput", failed);
        put("delivery-failure-throughput", lost());
    }

    private boolean measured(WindowRow row) {
        return !result.steps().isEmpty()
                && row.second() >= Math.floor(result.steps().get(0).from());
    }

    private double at(double second) {
        return startMillis + 1000 * second;
    }

    /** Spreads lost messages evenly over the seconds of the step of their due times. */
    private List<Point> lost() {
        List<Point> points = new ArrayList<>();
        for (StepResult step : result.steps()) {
            Long lost = step.figures().count(Count.LOST);
            long seconds = Math.max(1, Math.round(step.seconds()));
            for (long i = 0; lost != null && i < seconds; i++) {
                long here = lost * (i + 1) / seconds - lost * i / seconds;
                if (here > 0) {
                    points.add(new Point(at(step.from() + (double) i + 1), (double) here));
                }
            }
        }
        return points;
    }

    private void latencies(String name, String latency) throws IOException {
        Map<String, Double> percentiles = Map.of("p99", 99.0, "p99-9", 99.9, "p99-99", 99.99);
        Map<String, List<Point>> lines = new TreeMap<>();
        Latency[] all = {Latency.sum(List.of())};
        trial.latencies(tag -> tag.measured(LatencyKind.of(latency)), (second, window) -> {
            all[0] = all[0].plus(window);
            percentiles.forEach((file, percentile) -> lines.computeIfAbsent(file, f -> new ArrayList<>())
                    .add(new Point(at(second + 1), all[0].millis(percentile))));
        });
        if (lines.isEmpty()) {
            return;
        }
        for (Map.Entry<String, List<Point>> line : lines.entrySet()) {
            put(line.getKey() + "-" + name + "-latency", line.getValue());
        }
        put("points-" + name + "-latency", points(latency));
    }

    private List<Point> points(String latency) {
        Map<Double, Map<Double, Long>> seconds = new TreeMap<>();
        trial.buckets(
                tag -> tag.measured(LatencyKind.of(latency)),
                (second, millis, count) ->
                        seconds.computeIfAbsent(second, s -> new TreeMap<>()).merge(millis, count, Long::sum));
        List<Point> points = new ArrayList<>();
        seconds.forEach((second, buckets) -> {
            long all = buckets.values().stream().mapToLong(count -> count).sum();
            boolean each = all <= MOST_POINTS;
            double many = each ? (double) all : buckets.size();
            int[] i = {0};
            buckets.forEach((millis, count) -> {
                for (long n = 0; n < (each ? count : 1); n++) {
                    points.add(new Point(at(second + (i[0]++ + 0.5) / many), millis));
                }
            });
        });
        return points;
    }

    private void put(String name, List<Point> points) throws IOException {
        List<String> lines = points.stream()
                .map(point -> String.format(Locale.ROOT, "%.6f,%.6f", point.millis(), point.value()))
                .toList();
        Files.write(folder.resolve(name + ".csv"), lines);
    }
}
