package weir.report.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import weir.judge.tune.TuneSentence;
import weir.measure.Median;
import weir.plan.trial.TunedVariant;
import weir.report.RunView;
import weir.report.TextLines;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.value.NumberFormat;
import weir.results.value.TuneResult;
import weir.results.value.TuneResult.Effect;
import weir.results.value.TuneResult.Finalist;
import weir.results.value.TuneResult.Tried;

/** How settings were compared: every point that was tried, the front of the finals, and the effect of each setting. */
public final class TuneSection {
    private static final int WIDTH = 1080;
    private static final int HEIGHT = 420;

    /** Rows on a terminal. */
    private static final int MOST = 14;

    private static final List<Chart.Key> KEYS = List.of(
            new Chart.Key("on the front", "c1 block"),
            new Chart.Key("finalist", "c2 block"),
            new Chart.Key("the defaults", "c4 block"),
            new Chart.Key("tried before the finals", "c3 block"));

    private TuneSection() {}

    /** A point that was tried: the medians of its trials before the finals. */
    private record Dot(SortedMap<String, String> settings, double perSecond, double millis) {}

    public static Html html(RunView run) {
        Html html = new Html();
        html.element(
                "p",
                "Each point is one set of settings: its throughput as fast as it goes, and its latency at a rate that is the"
                        + " same for all. Those tried before the finals chose the finalists; the figures of finalists and defaults"
                        + " come from the finals alone, in which they took turns. None of those on the front is beaten in"
                        + " everything by the figures of another. The intervals of the finals are those of a ratio to the"
                        + " defaults, and hold together with 95 %.",
                "class",
                "note");
        List<TuneResult> found = run.found().tunings();
        for (int i = 0; i < found.size(); i++) {
            String id = "t-tune-" + i;
            html.add(front(found.get(i), id));
            if (!found.get(i).effects().isEmpty()) {
                html.add(effects(found.get(i), id + "-effects"));
            }
        }
        return html;
    }

    private static Html front(TuneResult result, String id) {
        List<Dot> tried = tried(result);
        List<Finalist> finalists = result.finalists().stream()
                .filter(one -> one.perSecond() != null && one.millis() != null)
                .toList();
        String title = result.of() + ": throughput and latency of the settings that were tried";
        Table table = finalists(result);
        if (tried.isEmpty()) {
            return new Html().element("p", result.of() + ": " + result.reason());
        }
        List<Dot> all = new ArrayList<>(tried);
        finalists.forEach(one -> all.add(new Dot(
                one.settings(), Objects.requireNonNull(one.perSecond()), Objects.requireNonNull(one.millis()))));
        double fastest = all.stream().mapToDouble(Dot::perSecond).max().orElse(1);
        double least = all.stream().mapToDouble(Dot::millis).min().orElse(1);
        double most = all.stream().mapToDouble(Dot::millis).max().orElse(1);
        Plot plot = new Plot(
                        title,
                        AxisScale.fromZero(fastest),
                        new AxisScale.Log(least / 1.3, most * 1.3),
                        WIDTH,
                        HEIGHT,
                        24)
                .axes(result.throughput().replace("/s", " records/s"), result.latency() + ", ms");
        tried.forEach(dot -> plot.dot(dot.perSecond(), dot.millis(), "c3 small", told(dot.settings())));
        List<Finalist> front = finalists.stream()
                .filter(Finalist::front)
                .sorted(Comparator.comparingDouble(one -> Objects.requireNonNull(one.perSecond())))
                .toList();
        plot.line(
                front.stream()
                        .mapToDouble(one -> Objects.requireNonNull(one.perSecond()))
                        .toArray(),
                front.stream()
                        .mapToDouble(one -> Objects.requireNonNull(one.millis()))
                        .toArray(),
                "c1 dashed",
                "");
        finalists.forEach(one -> plot.dot(
                Objects.requireNonNull(one.perSecond()),
                Objects.requireNonNull(one.millis()),
                one.defaults() ? "c4" : one.front() ? "c1" : "c2",
                TuneSentence.name(one)));
        return Chart.framed(
                title,
                TuneSentence.scope(result) + "; latency at " + NumberFormat.rate(result.at())
                        + (result.reason().isEmpty() ? "" : "; " + result.reason()),
                KEYS,
                plot.svg(id),
                table.empty()
                        ? new Table(1, "settings", result.throughput(), result.latency()).html(id, title)
                        : table.html(id, "The finals"),
                true);
    }

    private static Table finalists(TuneResult result) {
        Table table = new Table(
                1,
                "settings",
                "front",
                result.throughput(),
                "× the defaults",
                result.latency(),
                "× theirs",
                NumberFormat.CPU,
                "durability class",
                "verdict");
        result.finalists()
                .forEach(one -> table.cells(List.of(
                        new Table.Cell(TuneSentence.name(one), "text"),
                        new Table.Cell(one.front() ? "●" : "", ""),
                        new Table.Cell(NumberFormat.rate(one.perSecond()), ""),
                        new Table.Cell(one.defaults() ? "" : TuneSentence.ratio(one.throughput()), ""),
                        new Table.Cell(NumberFormat.millis(one.millis()), ""),
                        new Table.Cell(one.defaults() ? "" : TuneSentence.ratio(one.latency()), ""),
                        new Table.Cell(
                                one.micros() == null ? NumberFormat.MISSING : NumberFormat.micros(one.micros()), ""),
                        new Table.Cell(one.durability(), "text"),
                        new Table.Cell(verdict(one), "text"))));
        return table;
    }

    private static Html effects(TuneResult result, String id) {
        Table table = new Table(3, "setting", "value", "against", result.throughput(), result.latency());
        for (Effect effect : result.effects()) {
            table.row(
                    TunedVariant.property(effect.path()),
                    effect.value(),
                    effect.against(),
                    TuneSentence.ratio(effect.throughput()),
                    TuneSentence.ratio(effect.latency()));
        }
        return table.html(id, "The effect of each setting by itself, over all trials, each with its 95 % interval");
    }

    private static List<Dot> tried(TuneResult result) {
        Map<SortedMap<String, String>, List<Tried>> points = new LinkedHashMap<>();
        result.trials().stream()
                .filter(one -> one.round() == 0)
                .forEach(one -> points.computeIfAbsent(one.settings(), settings -> new ArrayList<>())
                        .add(one));
        List<Dot> dots = new ArrayList<>();
        points.forEach((settings, own) -> {
            double[] rates = own.stream()
                    .filter(one -> !one.paced() && one.perSecond() != null)
                    .mapToDouble(one -> Objects.requireNonNull(one.perSecond()))
                    .sorted()
                    .toArray();
            double[] millis = own.stream()
                    .filter(one -> one.paced() && one.millis() != null)
                    .mapToDouble(one -> Objects.requireNonNull(one.millis()))
                    .sorted()
                    .toArray();
            if (rates.length > 0 && millis.length > 0) {
                dots.add(new Dot(settings, Median.of(rates), Median.of(millis)));
            }
        });
        return dots;
    }

    private static String told(SortedMap<String, String> settings) {
        return settings.isEmpty() ? "the defaults" : TunedVariant.name(settings);
    }

    private static String verdict(Finalist one) {
        return switch (one.verdict()) {
            case DEFAULTS -> "";
            case BETTER -> "better";
            case TRADES -> "trades";
            case WORSE -> "worse";
            case NOT_DISTINGUISHABLE -> "not distinguishable";
        };
    }

    public static void lines(RunView run, TextLines lines) {
        for (TuneResult result : run.found().tunings()) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("", result.throughput(), "×", result.latency(), "×", "verdict"));
            result.finalists()
                    .forEach(one -> rows.add(List.of(
                            (one.front() ? "* " : "  ") + TuneSentence.name(one),
                            NumberFormat.rate(one.perSecond()),
                            one.defaults() ? "" : TuneSentence.ratio(one.throughput()),
                            NumberFormat.millis(one.millis()),
                            one.defaults() ? "" : TuneSentence.ratio(one.latency()),
                            verdict(one))));
            lines.table(rows, MOST);
        }
    }
}
