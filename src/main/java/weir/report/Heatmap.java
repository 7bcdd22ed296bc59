package weir.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weir.measure.LatencyKind;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/**
 * A chart of the distribution of latencies over time. The chart shows groups of messages that percentiles hide. The
 * colour of a cell shows the cell's share of the messages in its column. A cell with a single message stays visible.
 */
@SuppressWarnings("ArrayRecordComponent")
record Heatmap(
        TrialView trial, TrialClock clock, String metric, int stretch, long[][] counts, int lowest, int highest) {
    private static final int COLUMNS = 180;
    private static final int TABLE_ROWS = 30;
    private static final int TABLE_COLUMNS = 10;
    /** Half octaves from 22 µs to 13 hours. Every other limit is a power of two. */
    private static final double[] BOUNDS = IntStream.range(0, 63)
            .mapToDouble(i -> Math.pow(2, (i - 1) / 2.0 - 5))
            .toArray();

    private static final double[] SHARES = {0, 0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4};

    /** Draws the response, or the end-to-end latency without senders. Empty without latencies. */
    static List<Block> of(TrialView trial, TrialClock clock, int number) {
        return Stream.of(LatencyKind.RESPONSE, LatencyKind.E2E)
                .map(metric -> of(trial, clock, metric))
                .filter(heat -> heat.highest >= heat.lowest)
                .limit(1)
                .map(heat -> heat.chart("t-heat-" + number))
                .toList();
    }

    private static Heatmap of(TrialView trial, TrialClock clock, LatencyKind metric) {
        int stretch = Math.max(1, (clock.seconds() + COLUMNS - 1) / COLUMNS);
        long[][] counts = new long[(clock.seconds() + stretch - 1) / stretch][BOUNDS.length + 1];
        trial.folder().buckets(tag -> tag.metric().equals(metric.word()), (second, millis, count) -> {
            int at = ((int) second - clock.first()) / stretch;
            if (second >= clock.first() && at < counts.length) {
                counts[at][bucket(millis)] += count;
            }
        });
        int[] used = IntStream.range(0, BOUNDS.length + 1)
                .filter(bucket -> IntStream.range(0, counts.length).anyMatch(at -> counts[at][bucket] > 0))
                .toArray();
        int lowest = used.length == 0 ? 0 : used[0] - used[0] % 2;
        int highest = used.length == 0 ? -1 : used[used.length - 1];
        return new Heatmap(trial, clock, metric.word(), stretch, counts, lowest, highest);
    }

    private static int bucket(double millis) {
        int found = Arrays.binarySearch(BOUNDS, millis);
        return found >= 0 ? found + 1 : -found - 1;
    }

    private Block chart(String id) {
        String note = String.format(
                Locale.ROOT,
                "%s by %s, with a column for each %s. A message is in the column of the time at which it ended, or at"
                        + " which its sender stopped waiting. A darker cell has a larger share of its column.",
                messages(),
                metric,
                stretch == 1 ? "second" : stretch + " s");
        Chart chart = new Chart(
                        "Distribution of the latencies, trial " + trial.label(),
                        Axis.of("s", new AxisScale.Linear(clock.first(), clock.end())),
                        Axis.log("ms"))
                .wide()
                .height(250)
                .note(note)
                .table(table(id));
        int[][] densities = Arrays.stream(counts).map(Heatmap::densities).toArray(int[][]::new);
        for (int density = 0; density < SHARES.length; density++) {
            cells(chart, densities, density);
        }
        return chart;
    }

    private String messages() {
        return trial.result().figures().operates() ? "Operations" : "Messages";
    }

    private void cells(Chart chart, int[][] densities, int density) {
        DoubleStream.Builder times = DoubleStream.builder();
        DoubleStream.Builder edges = DoubleStream.builder();
        for (int bucket = lowest; bucket <= highest; bucket++) {
            int from = 0;
            for (int at = 0; at <= counts.length; at++) {
                boolean same = at < counts.length && densities[at][bucket] == density;
                if (!same) {
                    if (from < at) {
                        times.add(time(from)).add(time(at));
                        edges.add(edge(bucket)).add(edge(bucket + 1));
                    }
                    from = at + 1;
                }
            }
        }
        chart.cells("heat h" + density, times.build().toArray(), edges.build().toArray());
    }

    private double time(int column) {
        return clock.first() + Math.min((double) column * stretch, clock.seconds());
    }

    private static double edge(int bucket) {
        return bucket == 0 ? BOUNDS[0] / Math.sqrt(2) : BOUNDS[Math.min(bucket, BOUNDS.length) - 1];
    }

    /** Returns the density of each bucket of a column; -1 for an empty bucket. */
    private static int[] densities(long[] column) {
        double all = Arrays.stream(column).sum();
        int[] densities = new int[column.length];
        for (int bucket = 0; bucket < column.length; bucket++) {
            int density = column[bucket] == 0 ? -1 : 0;
            while (density >= 0 && density + 1 < SHARES.length && column[bucket] / all >= SHARES[density + 1]) {
                density++;
            }
            densities[bucket] = density;
        }
        return densities;
    }

    private Table table(String id) {
        int wide = 2 * ((highest - lowest) / (2 * TABLE_COLUMNS) + 1);
        List<String> columns = new ArrayList<>(List.of("second"));
        for (int bucket = lowest; bucket <= highest; bucket += wide) {
            columns.add("≤ " + NumberFormat.millis(edge(Math.min(bucket + wide, highest + 1))));
        }
        Table table = new Table(1, columns);
        int tall = Math.max(1, (counts.length + TABLE_ROWS - 1) / TABLE_ROWS);
        for (int from = 0; from < counts.length; from += tall) {
            int to = Math.min(counts.length, from + tall);
            List<String> cells = new ArrayList<>();
            cells.add(NumberFormat.number(time(from)) + "–" + NumberFormat.number(time(to)));
            for (int bucket = lowest; bucket <= highest; bucket += wide) {
                long sum = 0;
                for (int at = from; at < to; at++) {
                    for (int each = bucket; each < Math.min(bucket + wide, highest + 1); each++) {
                        sum += counts[at][each];
                    }
                }
                cells.add(sum == 0 ? "" : NumberFormat.count(sum));
            }
            table.row(cells);
        }
        return table.as(id, messages() + " by " + metric + ", trial " + trial.label())
                .folded();
    }
}
