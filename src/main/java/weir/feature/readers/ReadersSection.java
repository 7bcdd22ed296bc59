package weir.feature.readers;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.feature.readers.ReadersResult.Reader;
import weir.feature.readers.RebalanceResult.InVariant;
import weir.report.RunView;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/** The section about readers: the rebalances of their group, and the time that each reader spends. */
final class ReadersSection {
    private ReadersSection() {}

    static List<Block> page(RunView run) {
        List<InVariant> rebalances = rebalances(run);
        List<ReadersResult> readers = run.result().models(ReadersResult.class);
        List<Block> blocks = new ArrayList<>();
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

    static List<Block> brief(RunView run) {
        List<InVariant> rebalances = rebalances(run);
        return rebalances.isEmpty()
                ? List.of()
                : List.of(Block.GAP, table(rebalances).table());
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
                .column("partitions moved", one -> NumberFormat.number(one.moved()))
                .column("read gap", one -> NumberFormat.millis(one.gap()));
    }

    private static Table.Columns<Reader> readers(ReadersResult of) {
        return Table.of(1, of.readers())
                .column("reader", Reader::name)
                .column("received/s", one -> NumberFormat.rate(one.rate()))
                .column("working", one -> percent(one.working()))
                .column("waiting", one -> percent(one.waiting()))
                .column("fetching", one -> percent(one.fetching()))
                .column("committing", one -> percent(one.committing()));
    }

    private static String percent(@Nullable Double percent) {
        return percent == null ? NumberFormat.MISSING : NumberFormat.percent(percent / 100);
    }
}
