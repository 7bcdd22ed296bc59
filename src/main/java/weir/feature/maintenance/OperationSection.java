package weir.feature.maintenance;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import weir.feature.maintenance.OperationResult.Gaps;
import weir.feature.maintenance.OperationResult.Part;
import weir.report.RunView;
import weir.report.TrialView;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.WindowRow;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;

/** The section about maintenance: each operation of each variant, and its parts in the worst trial. */
final class OperationSection {
    private OperationSection() {}

    static List<Block> page(RunView run) {
        List<OperationResult> all = run.result().models(OperationResult.class);
        if (all.isEmpty()) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>(List.of(
                Block.note("The time and both p99 are medians of the trials. The gaps are the longest of"
                        + " all trials: the time in which a producer waited for an ack of one partition, and a reader"
                        + " for a message. Gaps below 20 ms are not kept. Latencies, lag and counts are of whole"
                        + " seconds, so a second at the edge of two parts counts in both."),
                summary(all).as("t-operations", "Each operation")));
        for (int i = 0; i < all.size(); i++) {
            OperationResult one = all.get(i);
            String title = one.variant() + ", " + one.operation()
                    + (one.trials() == 1 ? "" : ": the trial with the longest gap");
            Table table = parts(one, true).as("t-operation-" + i, title);
            run.of(one.variant()).stream()
                    .filter(trial -> trial.result().repeat() == one.repeat())
                    .filter(trial -> !trial.rows().isEmpty())
                    .findFirst()
                    .ifPresentOrElse(
                            trial -> blocks.add(timeline(title, one, trial).table(table)), () -> blocks.add(table));
        }
        return blocks;
    }

    /** A chart of the latency by second, with a band for each time in which a node was away. */
    private static Chart timeline(String title, OperationResult one, TrialView trial) {
        List<WindowRow> rows = trial.rows();
        double[] seconds = rows.stream().mapToDouble(WindowRow::second).toArray();
        Chart chart = new Chart(
                        title,
                        Axis.of("s", new AxisScale.Linear(seconds[0], seconds[seconds.length - 1] + 1)),
                        Axis.log("latency, ms"))
                .wide();
        List<Part> changes = one.parts().subList(1, one.parts().size() - 1);
        for (int i = 0; i < changes.size(); i++) {
            Part part = changes.get(i);
            double length = Objects.requireNonNullElse(part.away(), part.seconds());
            chart.band(part.from(), part.from() + length, part.subject(), i % 2 == 0 ? "phase" : "even");
        }
        chart.line(
                "response p99",
                "c1 solid",
                seconds,
                rows.stream().mapToDouble(row -> row.response().p99()).toArray());
        return chart.line(
                "response max",
                "c2 dotted",
                seconds,
                rows.stream().mapToDouble(row -> row.response().max()).toArray());
    }

    static List<Block> brief(RunView run) {
        return run.result().models(OperationResult.class).stream()
                .flatMap(one -> Stream.of(Block.GAP, parts(one, false).table()))
                .toList();
    }

    private static Table.Columns<OperationResult> summary(List<OperationResult> all) {
        return Table.of(2, all)
                .column("", OperationResult::variant)
                .column("operation", one -> one.operation() + ": " + one.what())
                .column("trials", one -> String.valueOf(one.trials()))
                .column("took", one -> NumberFormat.seconds(one.took()))
                .column("p99 before", one -> NumberFormat.millis(one.before()))
                .column("p99 during", one -> NumberFormat.millis(one.during()))
                .column("gap", one -> NumberFormat.millis(one.gap()))
                .column("read gap", one -> NumberFormat.millis(one.pause()))
                .column("failed", one -> NumberFormat.count(one.failed()))
                .column("lost", one -> NumberFormat.count(one.lost()))
                .column("duplicated", one -> NumberFormat.count(one.duplicated()))
                .column("reordered", one -> NumberFormat.count(one.reordered()))
                .column("reread", one -> NumberFormat.count(one.reread()));
    }

    /** {@code whole}: with the columns for which a terminal has no room. */
    private static Table.Columns<Part> parts(OperationResult one, boolean whole) {
        List<Part> parts = one.parts();
        Table.Columns<Part> table = Table.of(1, parts)
                .column(one.operation(), Part::subject)
                .column("begins", part -> NumberFormat.seconds(part.from()))
                .column("took", part -> NumberFormat.seconds(part.seconds()));
        if (parts.stream().anyMatch(part -> part.away() != null)) {
            table.column("away", part -> NumberFormat.seconds(part.away()));
            if (whole) {
                table.column("in sync after", part -> NumberFormat.seconds(part.sync()))
                        .column("led before", part -> NumberFormat.number(part.ledBefore()))
                        .column("led after", part -> NumberFormat.number(part.ledAfter()));
            }
        }
        if (parts.stream().anyMatch(part -> part.moved() != null)) {
            table.column("moved", part -> NumberFormat.quantity(part.moved(), " MiB"))
                    .column("moved/s", part -> NumberFormat.mebibytes(part.movedRate()));
        }
        if (whole) {
            table.column("gap p50", part -> gap(part.acks(), part.acks().median()));
        }
        table.column("gap", part -> gap(part.acks(), part.acks().longest()));
        latency(table, whole, "response", Part::response);
        if (parts.stream().anyMatch(part -> part.e2e().count() > 0)) {
            table.column("read gap", part -> gap(part.reads(), part.reads().longest()));
            latency(table, whole, "e2e", Part::e2e);
            table.column("lag", part -> NumberFormat.count(part.lag()));
        }
        table.column("acked", part -> NumberFormat.count(part.acked()))
                .column("failed", part -> NumberFormat.count(part.failed()));
        return parts.stream().anyMatch(part -> part.aborted() > 0)
                ? table.column("aborted", part -> NumberFormat.count(part.aborted()))
                : table;
    }

    private static void latency(
            Table.Columns<Part> table, boolean whole, String name, Function<Part, LatencyResult> latency) {
        for (double percentile : whole ? new double[] {50, 99, 99.9} : new double[] {99}) {
            table.column(
                    name + " " + Table.percentile(percentile),
                    part -> NumberFormat.millis(latency.apply(part).at(percentile)));
        }
    }

    private static String gap(Gaps gaps, double millis) {
        return gaps.partitions() == 0 ? NumberFormat.MISSING : NumberFormat.millis(millis);
    }
}
