package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Median;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/** The rates of every trial by all who count, where brokers were asked: what was acked, appended and received. */
final class RateSection {
    private static final List<RateKind> RATES = List.of(RateKind.ACKED, RateKind.APPENDED, RateKind.RECEIVED);

    private RateSection() {}

    static boolean any(RunView run) {
        return run.results().stream().anyMatch(trial -> trial.figures().rate(RateKind.APPENDED) != null);
    }

    static Html html(RunView run) {
        Html html = new Html();
        html.element(
                "p",
                "A row for each repeat, a column for each variant: acked/s \u00b7 appended/s \u00b7 received/s. Acked is"
                        + " what the sender was told and received what readers were handed, both in all measured seconds and"
                        + " whenever it was due. Appended is the growth of the log by its end offsets, which are read once a"
                        + " second within them, so it covers one second less. Their ratios stand among the comparisons.",
                "class",
                "note");
        List<String> columns = new ArrayList<>(List.of("repeat"));
        columns.addAll(run.variants());
        Table table = new Table(1, columns);
        run.results().stream().map(TrialResult::repeat).distinct().sorted().forEach(repeat -> {
            List<String> cells = new ArrayList<>(List.of(String.valueOf(repeat)));
            run.variants()
                    .forEach(variant -> cells.add(rates(of(run, variant)
                            .filter(trial -> trial.repeat() == repeat)
                            .toList())));
            table.row(cells);
        });
        if (run.repeats()) {
            List<String> medians = new ArrayList<>(List.of("median"));
            run.variants().forEach(variant -> medians.add(rates(of(run, variant).toList())));
            table.row(medians);
        }
        return html.add(table.html("t-rates", "Rates"));
    }

    static void lines(RunView run, TextLines lines) {
        for (String variant : run.variants()) {
            lines.wrap(
                    "  ",
                    "acked, appended, received per second, " + variant + ": "
                            + rates(of(run, variant).toList()));
        }
    }

    private static Stream<TrialResult> of(RunView run, String variant) {
        return run.results().stream().filter(trial -> trial.variant().equals(variant));
    }

    /** The medians of some trials. */
    private static String rates(List<TrialResult> trials) {
        return String.join(
                " \u00b7 ", RATES.stream().map(rate -> rate(trials, rate)).toList());
    }

    private static String rate(List<TrialResult> trials, RateKind kind) {
        @Nullable Double median = Median.of(trials, trial -> trial.figures().rate(kind));
        return median == null ? NumberFormat.MISSING : NumberFormat.number(median);
    }
}
