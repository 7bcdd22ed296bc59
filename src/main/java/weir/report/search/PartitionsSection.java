package weir.report.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.judge.Capacities;
import weir.judge.SearchAnswers;
import weir.report.RunView;
import weir.report.TextLines;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.PartitionsResult;
import weir.results.value.PartitionsResult.PartitionTrial;
import weir.results.value.TrialResult;

/** How a number of partitions was found: what one takes and gives, whether they add, and how the number did. */
public final class PartitionsSection {
    private static final int WIDTH = 530;
    private static final int HEIGHT = 300;

    /** Trials on a terminal. */
    private static final int MOST = 14;

    private static final List<Chart.Key> KEYS =
            List.of(new Chart.Key("carried", "c1 block"), new Chart.Key("if they added", "c4 block"));

    private PartitionsSection() {}

    public static Html html(RunView run) {
        Map<Integer, TrialResult> trials = SearchSection.trials(run);
        Html html = new Html();
        html.element(
                "p",
                "T is the rate to carry, P what one partition takes, C what one consumer reads of one. The number is"
                        + " max(T/P, T/C), rounded up; its interval follows from those of P and C. That so many partitions carry"
                        + " so much holds only if they add, so it is tested, and then the number itself is tried, and one less.",
                "class",
                "note");
        List<PartitionsResult> found = run.found().partitions();
        for (int i = 0; i < found.size(); i++) {
            PartitionsResult result = found.get(i);
            String id = "t-partitions-" + i;
            html.add(calculated(result, id));
            html.open("div", "class", "charts");
            html.add(adding(result, id + "-add"));
            html.close();
            html.add(carrying(result, id + "-carry", trials));
            html.add(SearchSection.trace(result.producing(), id + "-one", trials));
        }
        return html;
    }

    /** T, P, C and the number, as one would write them down. */
    private static Html calculated(PartitionsResult result, String id) {
        CapacityResult one = result.producing();
        Table table = new Table(1, "", "rate", "95 % interval", "partitions for it");
        table.row("T, to carry", NumberFormat.rate(result.rate()), "", "");
        table.row(
                "P, one partition takes",
                NumberFormat.rate(one.rate()),
                Capacities.interval(one),
                number(result.rate(), one.rate()));
        table.row(
                "C, one consumer reads of one",
                NumberFormat.rate(result.consuming()),
                result.consumingLow() == null
                        ? result.consuming() == null ? NumberFormat.MISSING : "more than twice P or T"
                        : "[" + NumberFormat.number(result.consumingLow()) + ", "
                                + NumberFormat.number(Objects.requireNonNull(result.consumingHigh())) + "]",
                number(result.rate(), result.consuming()));
        table.row(
                "the number",
                "",
                SearchAnswers.interval(result),
                SearchAnswers.number(result).split(" ", 2)[0]);
        return table.html(id, "How many partitions “" + result.of() + "” needs for " + result.target());
    }

    private static String number(double target, @Nullable Double one) {
        // 30.03 is 31 partitions, so two digits behind the point are not too many.
        return one == null ? NumberFormat.MISSING : String.format(Locale.ROOT, "%,.2f", target / one);
    }

    /** Nothing where one partition was enough, or was all that was tried. */
    private static Html adding(PartitionsResult result, String id) {
        List<PartitionTrial> adding =
                result.adding().stream().filter(one -> one.carried() != null).toList();
        if (adding.size() < 2) {
            return new Html();
        }
        double[] xs = adding.stream().mapToDouble(PartitionTrial::partitions).toArray();
        double[] ys = adding.stream()
                .mapToDouble(one -> Objects.requireNonNull(one.carried()))
                .toArray();
        double most = xs[xs.length - 1];
        double highest = Math.max(ys[0] * most, ys[ys.length - 1]);
        Plot plot = new Plot(
                        "What several partitions carry",
                        new AxisScale.Linear(0, most * 1.05),
                        AxisScale.fromZero(highest),
                        WIDTH,
                        HEIGHT,
                        24)
                .axes("partitions", "operations/s");
        plot.line(new double[] {0, most}, new double[] {0, ys[0] * most}, "c4 dashed", "");
        plot.line(xs, ys, "c1 solid", "");
        Table table = new Table(1, "partitions", "carried", "of what they would if they added");
        for (int i = 0; i < xs.length; i++) {
            PartitionTrial one = adding.get(i);
            plot.dot(xs[i], ys[i], "c1", one.partitions() + ": " + NumberFormat.rate(ys[i]));
            table.row(
                    String.valueOf(one.partitions()),
                    NumberFormat.rate(ys[i]),
                    NumberFormat.percent(result.added(one)));
        }
        return Chart.framed(
                "Do partitions add?",
                "As fast as it goes, with so many times the producers and consumers of one partition.",
                KEYS,
                plot.svg(id),
                table.html(id, "What several partitions carry"),
                false);
    }

    private static Html carrying(PartitionsResult result, String id, Map<Integer, TrialResult> trials) {
        if (result.carrying().isEmpty()) {
            return new Html();
        }
        Table table = new Table(
                1, "trial", "partitions", "rate", "", "carried", "response p99", "e2e p99", "late p99", "why not");
        for (PartitionTrial one : result.carrying()) {
            TrialResult trial = trials.get(one.tried().trial());
            table.cells(List.of(
                    new Table.Cell(String.valueOf(one.tried().trial()), ""),
                    new Table.Cell(String.valueOf(one.partitions()), ""),
                    new Table.Cell(NumberFormat.rate(one.tried().rate()), ""),
                    new Table.Cell(
                            SearchSection.state(one.tried()), "state " + (one.sustained() ? "sustained" : look(one))),
                    new Table.Cell(NumberFormat.rate(one.carried()), ""),
                    new Table.Cell(p99(trial == null ? null : trial.figures().response()), ""),
                    new Table.Cell(p99(trial == null ? null : trial.figures().e2e()), ""),
                    new Table.Cell(p99(trial == null ? null : trial.figures().late()), ""),
                    new Table.Cell(one.tried().why(), "text")));
        }
        return table.html(id, "Numbers of partitions that were tried with the whole load");
    }

    private static String look(PartitionTrial one) {
        return one.tried().outcome() == Attempt.Outcome.REFUSED ? "broken" : "degraded";
    }

    private static String p99(@Nullable LatencyResult latency) {
        return latency == null ? NumberFormat.MISSING : NumberFormat.latency(latency, 99);
    }

    public static void lines(RunView run, TextLines lines) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "partitions", "rate", "carried", TextLines.WHY));
        for (PartitionsResult result : run.found().partitions()) {
            String of = run.found().partitions().size() > 1 ? result.of() + " " : "";
            CapacityResult one = result.producing();
            rows.add(List.of(of + "P", "1", NumberFormat.rate(one.rate()), "", one.reason()));
            rows.add(List.of(of + "C", "1", NumberFormat.rate(result.consuming()), "", ""));
            result.adding()
                    .forEach(each -> rows.add(List.of(
                            of + "as fast as it goes",
                            String.valueOf(each.partitions()),
                            "",
                            NumberFormat.rate(each.carried()),
                            "")));
            result.carrying()
                    .forEach(each -> rows.add(List.of(
                            of + SearchSection.state(each.tried()),
                            String.valueOf(each.partitions()),
                            NumberFormat.rate(each.tried().rate()),
                            NumberFormat.rate(each.carried()),
                            each.tried().why())));
        }
        lines.table(rows, MOST);
    }
}
