package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import weir.judge.tune.TuneSentence;
import weir.measure.Median;
import weir.plan.trial.TunedVariant;
import weir.report.block.Axis;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.NumberFormat;
import weir.results.value.TuneResult;
import weir.results.value.TuneResult.Effect;
import weir.results.value.TuneResult.Finalist;
import weir.results.value.TuneResult.Tried;

/** The comparison of settings: every point that was tried, the front of the finals, and the effect of each setting. */
final class TuneSection {
    private static final int MOST = 14;

    private TuneSection() {}

    private record Dot(SortedMap<String, String> settings, double perSecond, double millis) {}

    static List<Block> page(RunView run) {
        if (run.found().tunings().isEmpty()) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(Block.note(
                "Each point is one set of settings: its throughput as fast as it goes, and its latency at a rate that is the"
                        + " same for all. Those tried before the finals chose the finalists; the figures of finalists and defaults"
                        + " come from the finals alone, in which they took turns. The intervals of the finals are those of a ratio to the"
                        + " defaults, and hold together with 95 %."));
        List<TuneResult> found = run.found().tunings();
        for (int i = 0; i < found.size(); i++) {
            TuneResult result = found.get(i);
            String id = "t-tune-" + i;
            blocks.add(front(result, id));
            if (!result.effects().isEmpty()) {
                blocks.add(Table.of(3, result.effects())
                        .column("setting", effect -> TunedVariant.property(effect.path()))
                        .column("value", Effect::value)
                        .column("against", Effect::against)
                        .column(result.throughput(), effect -> TuneSentence.ratio(effect.throughput()))
                        .column(result.latency(), effect -> TuneSentence.ratio(effect.latency()))
                        .as(
                                id + "-effects",
                                "The effect of each setting by itself, over all trials, each with its 95 % interval"));
            }
        }
        return blocks;
    }

    private static Block front(TuneResult result, String id) {
        List<Dot> tried = tried(result);
        if (tried.isEmpty()) {
            return Block.text(result.of() + ": " + result.reason());
        }
        List<Finalist> finalists = result.finalists().stream()
                .filter(one -> one.perSecond() != null && one.millis() != null)
                .toList();
        String title = result.of() + ": throughput and latency of the settings that were tried";
        Chart chart = new Chart(
                        title,
                        Axis.fromZero(result.throughput().replace("/s", " records/s")),
                        Axis.log(result.latency() + ", ms"))
                .wide()
                .height(420)
                .key("on the front", "c1 block")
                .key("finalist", "c2 block")
                .key("the defaults", "c4 block")
                .key("tried before the finals", "c3 block");
        tried.forEach(dot -> chart.dot(
                dot.perSecond(),
                dot.millis(),
                "c3 small",
                dot.settings().isEmpty() ? "the defaults" : TunedVariant.name(dot.settings())));
        List<Finalist> front = finalists.stream()
                .filter(Finalist::front)
                .sorted(Comparator.comparingDouble(TuneSection::perSecond))
                .toList();
        chart.line(
                "",
                "c1 dashed",
                front.stream().mapToDouble(TuneSection::perSecond).toArray(),
                front.stream().mapToDouble(TuneSection::millis).toArray());
        finalists.forEach(one -> chart.dot(
                perSecond(one),
                millis(one),
                one.defaults() ? "c4" : one.front() ? "c1" : "c2",
                TuneSentence.name(one)));
        return chart.note(TuneSentence.scope(result) + "; latency at " + NumberFormat.rate(result.at())
                        + (result.reason().isEmpty() ? "" : "; " + result.reason()))
                .table(
                        result.finalists().isEmpty()
                                ? new Table(1, "settings", result.throughput(), result.latency()).as(id, title)
                                : finals(result).as(id, "The finals"));
    }

    private static double perSecond(Finalist one) {
        return Objects.requireNonNull(one.perSecond());
    }

    private static double millis(Finalist one) {
        return Objects.requireNonNull(one.millis());
    }

    private static Table finals(TuneResult result) {
        return Table.of(1, result.finalists())
                .column("settings", TuneSentence::name, one -> "text")
                .column("front", one -> one.front() ? "●" : "")
                .column(result.throughput(), one -> NumberFormat.rate(one.perSecond()))
                .column("× the defaults", one -> one.defaults() ? "" : TuneSentence.ratio(one.throughput()))
                .column(result.latency(), one -> NumberFormat.millis(one.millis()))
                .column("× theirs", one -> one.defaults() ? "" : TuneSentence.ratio(one.latency()))
                .column(NumberFormat.CPU, one -> NumberFormat.micros(one.micros()))
                .column("durability class", Finalist::durability, one -> "text")
                .column("verdict", TuneSection::verdict, one -> "text")
                .table();
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

    private static String verdict(Finalist one) {
        return one.defaults()
                ? ""
                : one.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    static List<Block> brief(RunView run) {
        return run.found().tunings().stream()
                .<Block>map(result -> Table.of(1, result.finalists())
                        .column("", one -> (one.front() ? "* " : "  ") + TuneSentence.name(one))
                        .column(result.throughput(), one -> NumberFormat.rate(one.perSecond()))
                        .column("×", one -> one.defaults() ? "" : TuneSentence.ratio(one.throughput()))
                        .column(result.latency(), one -> NumberFormat.millis(one.millis()))
                        .column("×", one -> one.defaults() ? "" : TuneSentence.ratio(one.latency()))
                        .column("verdict", TuneSection::verdict)
                        .table()
                        .most(MOST))
                .toList();
    }
}
