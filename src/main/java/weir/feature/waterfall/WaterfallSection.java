package weir.feature.waterfall;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.feature.waterfall.RequestSeries.RequestKind;
import weir.feature.waterfall.StageTimes.RequestTime;
import weir.feature.waterfall.StepWaterfall.WaterfallPart;
import weir.judge.ProbeSeries;
import weir.report.RunView;
import weir.report.TrialView;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;

/** The report section about the stages of the response time, in the median trial of each variant. */
final class WaterfallSection {
    private static final double WORTH_A_WORD = 0.1;

    /** Largest negative share of the response that rounding can cause in a part. */
    private static final double TOLERABLE = -0.05;

    private static final double ROUNDING_MILLIS = -1;

    /** The share of the time that complete readings must cover. */
    private static final double WHOLE = 0.95;

    /** The tolerated difference in seconds between the observed time and the measured phase. */
    private static final double TOLERANCE = 0.1;

    private WaterfallSection() {}

    private record VariantWaterfall(String variant, TrialView trial, TrialWaterfall waterfall) {}

    private static List<VariantWaterfall> of(RunView run) {
        List<VariantWaterfall> all = new ArrayList<>();
        for (String variant : run.variants()) {
            TrialView trial = run.median(variant);
            // A summary has no readings and windows.
            boolean read = !trial.readings().isEmpty();
            all.add(new VariantWaterfall(
                    variant,
                    trial,
                    TrialWaterfall.of(
                            trial.result(),
                            read ? trial.rows() : trial.folder().windows(),
                            read
                                    ? ProbeSeries.of(trial.readings())
                                    : ProbeSeries.of(trial.folder(), TrialWaterfall::isPart))));
        }
        return all;
    }

    static List<Block> page(RunView run) {
        if (run.trials().isEmpty()) {
            return List.of();
        }
        List<VariantWaterfall> all = of(run);
        boolean seen =
                all.stream().anyMatch(taken -> !taken.waterfall().requests().isEmpty());
        List<Block> blocks = new ArrayList<>();
        if (seen) {
            blocks.add(Block.note(limits(all)));
        }
        blocks.addAll(steps(all, run.variants().size() > 1));
        negative(all).forEach(line -> blocks.add(Block.warning(line)));
        if (seen) {
            blocks.add(brokers(all)
                    .as(
                            "t-brokers",
                            "Requests inside the brokers: means of the measured phase; Kafka's percentiles also cover the minutes before it"
                                    + run.medianTrial()));
        }
        blocks.addAll(StageChart.of(stages(all)));
        blocks.addAll(slow(all));
        return blocks;
    }

    private static List<StageChart> stages(List<VariantWaterfall> all) {
        List<StageChart> charts = new ArrayList<>();
        for (VariantWaterfall taken : all) {
            for (RequestKind kind : List.of(RequestKind.PRODUCE, RequestKind.FETCH)) {
                TrialWaterfall.Requests requests = taken.waterfall().requests().get(kind);
                if (requests != null && requests.measured().times().whole()) {
                    charts.add(new StageChart(
                            taken.trial(), kind, requests.series().together()));
                }
            }
        }
        return charts;
    }

    private record Bar(String name, StepWaterfall step) {
        double drawn() {
            return step.parts().values().stream()
                    .mapToDouble(part -> Math.max(0, part))
                    .sum();
        }
    }

    private static List<Block> steps(List<VariantWaterfall> all, boolean several) {
        List<Bar> bars = new ArrayList<>();
        for (VariantWaterfall taken : all) {
            String prefix = several ? taken.variant() + ", " : "";
            boolean single = taken.trial().result().steps().size() == 1 && several;
            for (StepWaterfall step : taken.waterfall().steps()) {
                bars.add(new Bar(
                        single
                                ? taken.variant()
                                : prefix + NumberFormat.step(step.step().label()),
                        step));
            }
        }
        if (bars.isEmpty()) {
            return List.of();
        }
        SortedSet<WaterfallPart> parts = new TreeSet<>();
        bars.forEach(bar -> parts.addAll(bar.step().parts().keySet()));
        List<String> names =
                bars.stream().map(bar -> bar.name() + " · " + mean(bar.step())).toList();
        Table.Columns<Bar> table = Table.of(1, bars).column("step", Bar::name);
        parts.forEach(part -> table.column(
                part.word(), bar -> NumberFormat.millis(bar.step().parts().get(part))));
        Chart chart = Chart.ofRows(
                        "Where the mean response goes",
                        Axis.of("% of the mean response", new AxisScale.Linear(0, 100)),
                        names)
                .wide()
                .note(note(parts))
                .table(table.column("mean response", bar -> mean(bar.step()))
                        .as("t-parts", "Means, which add up")
                        .folded());
        parts.forEach(part -> chart.key(part.key(), part.color() + " block"));
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            double from = 0;
            for (Map.Entry<WaterfallPart, Double> part : bar.step().parts().entrySet()) {
                double to = from + 100 * Math.max(0, part.getValue()) / bar.drawn();
                String text = part.getKey().word() + " " + NumberFormat.millis(part.getValue());
                chart.bar(from, to, i + 0.5, part.getKey().color(), text);
                from = to;
            }
        }
        return List.of(chart);
    }

    private static String note(SortedSet<WaterfallPart> parts) {
        if (!parts.contains(WaterfallPart.CLIENT)) {
            return "";
        }
        return "In the client = service − blocked − the client's request latency. Network = the client's request latency − the brokers' total."
                + " Both figures can be inaccurate, and even negative, for two reasons. The request latency is a mean over seconds,"
                + " and each second has the same weight. And requests contain different numbers of records.";
    }

    private static List<String> negative(List<VariantWaterfall> all) {
        List<String> lines = new ArrayList<>();
        for (VariantWaterfall taken : all) {
            for (StepWaterfall step : taken.waterfall().steps()) {
                step.parts().forEach((part, millis) -> {
                    if (millis < ROUNDING_MILLIS && millis < TOLERABLE * step.response()) {
                        lines.add(taken.variant() + ", "
                                + NumberFormat.step(step.step().label()) + ": " + part.word() + " is "
                                + NumberFormat.millis(millis) + ". " + because(part));
                    }
                });
            }
        }
        return lines.stream().limit(5).toList();
    }

    private static String because(WaterfallPart part) {
        return part == WaterfallPart.CLIENT
                ? "The client's request latency is a mean over seconds, or over requests with few records."
                : "The mean request at the brokers took longer than the requests of this load: other clients use the brokers,"
                        + " or requests with few records are slower.";
    }

    private record Stages(
            String variant,
            RequestKind kind,
            String figure,
            String requests,
            Function<RequestTime, @Nullable Double> time) {}

    private static Table brokers(List<VariantWaterfall> all) {
        List<Stages> rows = new ArrayList<>();
        for (VariantWaterfall taken : all) {
            taken.waterfall().requests().forEach((kind, requests) -> {
                rows.add(new Stages(
                        taken.variant(),
                        kind,
                        "mean",
                        counted(requests.measured(), taken.trial().result().steps()),
                        requests.measured().times()::mean));
                Map<String, Map<RequestTime, Double>> others = new LinkedHashMap<>();
                others.put(
                        "mean by the client",
                        Double.isNaN(requests.byClient()) ? Map.of() : Map.of(RequestTime.TOTAL, requests.byClient()));
                others.put("p50 by Kafka", requests.p50());
                others.put("p99 by Kafka", requests.p99());
                others.values().removeIf(Map::isEmpty);
                others.forEach((figure, times) ->
                        rows.add(new Stages(taken.variant(), kind, figure, NumberFormat.MISSING, times::get)));
            });
        }
        Table.Columns<Stages> table = Table.of(3, rows)
                .column("variant", Stages::variant)
                .column("request", row -> row.kind.word())
                .column("mean or percentile", Stages::figure)
                .column("requests", Stages::requests);
        for (RequestTime time : RequestTime.values()) {
            table.column(time.word(), row -> NumberFormat.millis(row.time.apply(time)));
        }
        return table.table();
    }

    private static String counted(RequestSeries measured, List<StepResult> steps) {
        StepResult last = steps.get(steps.size() - 1);
        List<String> where = new ArrayList<>();
        if (Math.abs(measured.from() - steps.get(0).from()) > TOLERANCE
                || Math.abs(measured.to() - last.from() - last.seconds()) > TOLERANCE) {
            where.add("seconds " + NumberFormat.number(measured.from()) + " to " + NumberFormat.number(measured.to()));
        }
        if (measured.covered() < WHOLE) {
            where.add(String.format(Locale.ROOT, "%.0f %% of the time", 100 * measured.covered()));
        }
        return NumberFormat.count(Math.round(measured.times().requests()))
                + (where.isEmpty() ? "" : " (" + String.join(", ", where) + ")");
    }

    private static String limits(List<VariantWaterfall> all) {
        String text =
                "A broker counts each stage of a request in whole milliseconds, so a stage below half a millisecond"
                        + " counts as 0. In no stage = total − sum of the stages. Means are differences of the brokers'"
                        + " totals, weighted by requests of all their clients. Weir reads produce requests every second and"
                        + " fetches every five seconds. The table names seconds that differ from the measured phase."
                        + " Percentiles come from the brokers, each from the broker with the highest value. Their sample favours the"
                        + " last five minutes, also of earlier steps and the warm-up. Kafka samples each stage and the total"
                        + " separately, so their percentiles do not add up, and may exceed that of the total.";
        SortedSet<String> without = new TreeSet<>();
        all.forEach(taken -> taken.waterfall().requests().forEach((kind, requests) -> {
            if (!requests.measured().times().whole()) {
                without.add(kind.word());
            }
        }));
        return without.isEmpty()
                ? text
                : text + " These brokers report no means of some stages (" + String.join(", ", without)
                        + "), so the chart omits these stages. The exporter must also export the attribute Mean of"
                        + " kafka.network:type=RequestMetrics.";
    }

    private record Seconds(
            String variant, String which, int looks, String p99, Function<RequestTime, @Nullable Double> mean) {}

    private static List<Block> slow(List<VariantWaterfall> all) {
        List<Seconds> rows = new ArrayList<>();
        List<Block> sentences = new ArrayList<>();
        for (VariantWaterfall taken : all) {
            String variant = taken.variant();
            for (SlowSeconds both : taken.waterfall().slow()) {
                for (SlowSeconds.SecondsGroup half : List.of(both.slow(), both.others())) {
                    rows.add(new Seconds(variant, half.name(), half.looks(), both.p99(half), half.means()::get));
                }
                rows.add(new Seconds(
                        variant,
                        "difference",
                        both.slow().looks() + both.others().looks(),
                        NumberFormat.millis(
                                both.atLeast()
                                        ? null
                                        : both.slow().p99() - both.others().p99()),
                        both::longer));
                sentences.add(Block.text(variant + ": " + text(both)));
            }
        }
        if (rows.isEmpty()) {
            return List.of();
        }
        Table.Columns<Seconds> table = Table.of(2, rows)
                .column("variant", Seconds::variant)
                .column("which seconds", Seconds::which)
                .column("looks", row -> NumberFormat.count((long) row.looks))
                .column("response p99", Seconds::p99);
        RequestTime.STACKED.forEach(
                time -> table.column(time.word(), row -> NumberFormat.millis(row.mean.apply(time))));
        List<Block> blocks = new ArrayList<>();
        blocks.add(table.as(
                "t-slow", "Produce requests in the seconds with the highest response p99, and in all others (means)"));
        blocks.addAll(sentences);
        blocks.add(Block.note("Percentiles of"
                + " stages do not add up, but means of chosen seconds do. A tail that is the same in every second is not"
                + " visible here."));
        return blocks;
    }

    private static String text(SlowSeconds slow) {
        String more = "the slowest seconds have a response p99 of " + slow.p99(slow.slow()) + ", the others of "
                + slow.p99(slow.others());
        List<String> stages = slow.behind().stream()
                .map(stage -> NumberFormat.millis(slow.longer(stage)) + " " + word(stage))
                .toList();
        return stages.isEmpty()
                ? more + "; no stage inside the brokers explains a tenth of the difference"
                : more + "; longer in the brokers: " + NumberFormat.listed(stages);
    }

    private static String word(RequestTime stage) {
        return stage == RequestTime.REMOTE ? RequestKind.PRODUCE.remote() : stage.word();
    }

    static List<Block> brief(RunView run) {
        List<Block> blocks = new ArrayList<>();
        for (VariantWaterfall taken : of(run)) {
            List<StepWaterfall> seen = taken.waterfall().steps().stream()
                    .filter(StepWaterfall::seen)
                    .toList();
            if (!seen.isEmpty()) {
                blocks.add(Block.text(line(taken, seen)));
                taken.waterfall().slow().stream()
                        .filter(slow -> !slow.behind().isEmpty())
                        .forEach(slow -> blocks.add(Block.text(taken.variant() + ": " + text(slow))));
            }
        }
        return blocks;
    }

    private static String line(VariantWaterfall taken, List<StepWaterfall> seen) {
        StepWaterfall highest = seen.stream()
                .filter(step -> step.step().sustained())
                .max(Comparator.comparingInt(step -> step.step().step()))
                .orElse(seen.get(0));
        List<String> parts = new ArrayList<>();
        double[] rest = {0};
        highest.parts().forEach((part, millis) -> {
            if (Math.abs(millis) >= WORTH_A_WORD * highest.response()) {
                parts.add((part == WaterfallPart.REMOTE ? word(RequestTime.REMOTE) : part.word()) + " "
                        + NumberFormat.threeDigits(millis));
            } else {
                rest[0] += millis;
            }
        });
        parts.add("rest " + NumberFormat.threeDigits(rest[0]));
        String where = taken.trial().result().steps().size() == 1
                ? ""
                : " at " + NumberFormat.step(highest.step().label());
        return taken.variant() + ", mean response " + mean(highest) + where + ": " + String.join(", ", parts);
    }

    private static String mean(StepWaterfall step) {
        return NumberFormat.mean(step.step().figures().response());
    }
}
