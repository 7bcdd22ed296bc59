package weir.feature.rehearsal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import weir.feature.rehearsal.RehearsalResult.Part;
import weir.report.RunView;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/** The section about maintenance: each operation of each variant, and its parts in the worst trial. */
final class RehearsalSection {
    private RehearsalSection() {}

    static List<Block> page(RunView run) {
        List<RehearsalResult> all = run.result().models(RehearsalResult.class);
        if (all.isEmpty()) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>(List.of(
                Block.note("The time and both p99 are medians of the trials. The longest response is the longest of all"
                        + " trials. With an open-loop load, a partition that takes no records for a while shows as a"
                        + " response of that length. Seconds at the edge of two parts count in both."),
                summary(all).as("t-rehearsals", "Each operation")));
        for (int i = 0; i < all.size(); i++) {
            RehearsalResult one = all.get(i);
            blocks.add(parts(one)
                    .as(
                            "t-rehearsal-" + i,
                            one.variant() + ", " + one.operation()
                                    + (one.trials() == 1 ? "" : ": the trial with the longest response")));
        }
        return blocks;
    }

    static List<Block> brief(RunView run) {
        return run.result().models(RehearsalResult.class).stream()
                .flatMap(one -> Stream.of(Block.GAP, parts(one).table()))
                .toList();
    }

    private static Table.Columns<RehearsalResult> summary(List<RehearsalResult> all) {
        return Table.of(2, all)
                .column("", RehearsalResult::variant)
                .column("operation", one -> one.operation() + ": " + one.what())
                .column("trials", one -> String.valueOf(one.trials()))
                .column("took", one -> NumberFormat.seconds(one.took()))
                .column("p99 before", one -> RehearsalResult.millis(one.before()))
                .column("p99 during", one -> RehearsalResult.millis(one.during()))
                .column("longest", one -> RehearsalResult.millis(one.longest()))
                .column("failed", one -> NumberFormat.count(one.failed()))
                .column("lost", one -> NumberFormat.count(one.lost()));
    }

    private static Table.Columns<Part> parts(RehearsalResult one) {
        return Table.of(1, one.parts())
                .column(one.operation(), Part::subject)
                .column("begins", part -> NumberFormat.seconds(part.from()))
                .column("took", part -> NumberFormat.seconds(part.seconds()))
                .column("away", part -> NumberFormat.seconds(part.away()))
                .column("in sync after", part -> NumberFormat.seconds(part.sync()))
                .column(
                        "response p50",
                        part -> RehearsalResult.millis(part.response().p50()))
                .column("p99", part -> RehearsalResult.millis(part.response().p99()))
                .column(
                        "longest",
                        part -> RehearsalResult.millis(part.response().max()))
                .column("acked", part -> NumberFormat.count(part.acked()))
                .column("failed", part -> NumberFormat.count(part.failed()));
    }
}
