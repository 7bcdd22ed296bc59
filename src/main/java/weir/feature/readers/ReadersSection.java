package weir.feature.readers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.feature.readers.ConsumersFound.ConsumersTrial;
import weir.feature.readers.ReadersResult.Reader;
import weir.feature.readers.RebalanceResult.InVariant;
import weir.measure.Interval;
import weir.report.RunView;
import weir.report.SearchSection;
import weir.report.TextLines;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The section about readers: the rebalances of their group, and the time that each reader spends. */
final class ReadersSection {
    private ReadersSection() {}

    static List<Block> page(RunView run) {
        List<InVariant> rebalances = rebalances(run);
        List<ConsumersFound> found = run.found().of(ConsumersFound.class);
        List<ReadersResult> readers = run.result().models(ReadersResult.class);
        List<Block> blocks = new ArrayList<>();
        Map<Integer, TrialResult> trials = trials(run, found);
        for (int i = 0; i < found.size(); i++) {
            ConsumersFound one = found.get(i);
            blocks.add(tried(one, trials)
                    .as(
                            "t-consumers-" + i,
                            one.of() + ": the number of consumers that carries " + NumberFormat.rate(one.rate())));
        }
        if (!rebalances.isEmpty()) {
            blocks.add(Block.note("A rebalance belongs to the last change before it: the begin or the end of a"
                    + " disturbance. Times count from this change. Pauses and gaps are the longest of all trials, all"
                    + " other figures are medians."));
            blocks.add(table(rebalances).as("t-rebalances", "Each rebalance"));
        }
        for (int i = 0; i < readers.size(); i++) {
            ReadersResult one = readers.get(i);
            blocks.add(readers(one)
                    .as(
                            "t-readers-" + i,
                            one.variant() + ": the readers, which can work on at most "
                                    + NumberFormat.rate(one.ceiling())));
        }
        return blocks;
    }

    private static Table.Columns<ConsumersTrial> tried(ConsumersFound of, Map<Integer, TrialResult> trials) {
        Function<ConsumersTrial, SearchSection.AttemptRow> figures = one ->
                new SearchSection.AttemptRow(one.tried(), trials.get(one.tried().trial()));
        return Table.of(1, of.trials())
                .column("trial", one -> String.valueOf(one.tried().trial()))
                .column("consumers", one -> String.valueOf(one.consumers()))
                .column(
                        "work ceiling",
                        one -> of.each() == null
                                ? NumberFormat.MISSING
                                : NumberFormat.rate(one.consumers() * of.each()))
                .column(
                        "",
                        one -> SearchSection.state(one.tried()),
                        one -> "state " + (one.sustained() ? "sustained" : "broken"))
                .latencies("e2e ", one -> figures.apply(one).latency(Figures::e2e), 50, 99)
                .latencies("late ", one -> figures.apply(one).latency(Figures::late), 99)
                .column(TextLines.WHY, one -> one.tried().why(), one -> "text");
    }

    static List<Block> brief(RunView run) {
        List<Block> blocks = new ArrayList<>();
        List<ConsumersFound> found = run.found().of(ConsumersFound.class);
        Map<Integer, TrialResult> trials = trials(run, found);
        found.forEach(one -> blocks.add(tried(one, trials).table()));
        List<InVariant> rebalances = rebalances(run);
        if (!rebalances.isEmpty()) {
            blocks.add(Block.GAP);
            blocks.add(table(rebalances).table());
        }
        return blocks;
    }

    private static Map<Integer, TrialResult> trials(RunView run, List<ConsumersFound> found) {
        return found.isEmpty() ? Map.of() : SearchSection.trials(run);
    }

    private static List<InVariant> rebalances(RunView run) {
        return run.result().models(RebalanceResult.class).stream()
                .flatMap(cause -> cause.variants().stream())
                .toList();
    }

    private static Table.Columns<InVariant> table(List<InVariant> all) {
        return Table.of(2, all)
                .column("", InVariant::variant)
                .column("rebalance", InVariant::named)
                .column("trials", one -> String.valueOf(one.trials()))
                .column("first change", one -> NumberFormat.millis(one.first()))
                .column("last change", one -> NumberFormat.millis(one.last()))
                .column("readers paused", one -> String.valueOf(one.paused()))
                .column("pause p50", one -> NumberFormat.millis(one.pause()))
                .column("pause max", one -> NumberFormat.millis(one.longest()))
                .column("mean of the trials", one -> mean(one.each()))
                .column("partitions moved", one -> NumberFormat.number(one.moved()))
                .column("read gap", one -> NumberFormat.millis(one.gap()));
    }

    private static String mean(@Nullable Interval of) {
        return of == null
                ? NumberFormat.MISSING
                : NumberFormat.millis(of.value()) + " (" + NumberFormat.millis(of.low()) + " to "
                        + NumberFormat.millis(of.high()) + ")";
    }

    private static Table.Columns<Reader> readers(ReadersResult of) {
        return Table.of(1, of.readers())
                .column("reader", Reader::name)
                .column("received/s", one -> NumberFormat.rate(one.rate()))
                .column("e2e mean", one -> NumberFormat.millis(one.e2e()))
                .column("e2e max", one -> NumberFormat.millis(one.e2eMax()))
                .column("lag max", one -> NumberFormat.number(one.lag()))
                .column("working", one -> percent(one.working()))
                .column("waiting", one -> percent(one.waiting()))
                .column("fetching", one -> percent(one.fetching()))
                .column("committing", one -> percent(one.committing()));
    }

    private static String percent(@Nullable Double percent) {
        return percent == null ? NumberFormat.MISSING : NumberFormat.percent(percent / 100);
    }
}
