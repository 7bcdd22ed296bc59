package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.judge.Capacities;
import weir.judge.LoadCurve;
import weir.judge.answer.ComparisonSentence;
import weir.judge.caveat.LoadCaveats;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.Median;
import weir.report.block.Block;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.ExpectResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchAnswer;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;

/** The first part of a report: the trust in the figures, the answer, its scope, and the main figures. */
final class HeadlineSection {
    private static final int MOST_COMPARED = 4;

    private HeadlineSection() {}

    static List<Block> page(RunView run) {
        Conclusion conclusion = run.result().conclusion();
        List<Block> blocks = new ArrayList<>();
        blocks.add(Block.styled("overline")
                .with(
                        run.result().caveats().isEmpty() ? Block.Mark.SPAN : Block.Mark.BADGE,
                        badge(run),
                        "badge " + run.badge().word())
                .with(Block.Mark.SPAN, run.folder().name(), "run"));
        if (!run.asked().question().isBlank()) {
            blocks.add(Block.styled("question", run.asked().question()));
        }
        blocks.add(new Block.Heading(1, single(run) ? "single" : "", conclusion.answer()));
        blocks.add(Block.styled("scope", conclusion.scope()));
        Stream.concat(conclusion.losses().stream(), run.brokenWhileProfiled().stream())
                .forEach(loss -> blocks.add(Block.styled("loss", loss)));
        List<Block.Fact> answers = answers(run);
        if (!answers.isEmpty()) {
            blocks.add(new Block.Facts("tiles answers", answers));
        }
        List<String> variants = run.variants();
        if (variants.size() == 1) {
            blocks.add(new Block.Facts("tiles", tiles(run, variants.get(0))));
        } else if (!variants.isEmpty()) {
            blocks.add(VariantTable.of(run).as("interval", VariantTable.caption(run)));
        }
        String earlier = earlier(run);
        if (!earlier.isEmpty()) {
            blocks.add(Block.note(earlier));
        }
        if (!conclusion.details().isEmpty()) {
            blocks.add(Block.list(
                    "details", conclusion.details().stream().map(Block::text).toList()));
        }
        if (!conclusion.advice().isEmpty()) {
            blocks.add(new Block.Group(
                    "advice", List.of(new Block.Heading(2, "", "Next steps"), Block.list(conclusion.advice()))));
        }
        return blocks;
    }

    private static boolean single(RunView run) {
        return run.variants().size() > 1
                && run.variants().stream().anyMatch(variant -> run.of(variant).size() == 1);
    }

    private static String badge(RunView run) {
        int doubts = run.result().doubts().size();
        return switch (run.badge()) {
            case VALID -> "valid";
            case SUSPECT -> "suspect · " + doubts + (doubts == 1 ? " doubt" : " doubts");
            case INVALID -> "invalid";
            case UNFINISHED -> "unfinished";
        };
    }

    private static List<Block.Fact> answers(RunView run) {
        List<Block.Fact> tiles = new ArrayList<>();
        List<CapacityResult> capacities = run.found().capacities();
        for (CapacityResult result : capacities) {
            tile(
                    tiles,
                    capacities.size() == 1 ? "capacity" : "capacity of " + result.of(),
                    result.rate() == null
                            ? "none"
                            : Capacities.wide(result) ? "undecided" : NumberFormat.rate(result.rate()),
                    result.rate() == null ? "no rate is sustained" : "95 % interval " + Capacities.interval(result));
        }
        for (SearchKind kind : Features.each(SearchKind.class)) {
            List<SearchAnswer> found = kind.figures(run.found());
            found.forEach(answer -> tile(
                    tiles,
                    found.size() == 1 ? kind.label() : kind.label() + " of " + answer.of(),
                    answer.shown(),
                    answer.note()));
        }
        List<ComparisonResult> compared =
                ComparisonSentence.primary(
                                run.result().comparisons(), run.result().expect())
                        .stream()
                        .filter(one -> one.ratio() != null)
                        .toList();
        for (ComparisonResult one : compared.subList(0, Math.min(MOST_COMPARED, compared.size()))) {
            String interval = one.low() == null && one.high() == null ? "" : one.interval() + ", ";
            tiles.add(new Block.Fact(
                    one.pair() + ", " + one.metric(),
                    one.writtenRatio(),
                    single(run) ? "value single" : "value",
                    (single(run) ? "one trial each, " : interval) + one.judged()));
        }
        List<ExpectResult> missed = run.result().expect().stream()
                .filter(expect -> !expect.passed())
                .toList();
        if (!missed.isEmpty()) {
            String first = missed.get(0).text();
            tile(
                    tiles,
                    "expectations",
                    run.result().expect().size() - missed.size() + " of "
                            + run.result().expect().size() + " passed",
                    missed.get(0).verdict() + ": " + first
                            + (missed.size() > 1 ? " and " + (missed.size() - 1) + " more" : ""));
        }
        return tiles;
    }

    /** Explains a rate above the offered rate, by the first trial with such a rate; empty without such a trial. */
    static String earlier(RunView run) {
        List<Caveat> found = run.result().caveats().stream()
                .filter(caveat -> caveat.is(LoadCaveats.EARLIER_RECORDS_COUNTED))
                .toList();
        if (found.isEmpty()) {
            return "";
        }
        int others = found.size() - 1;
        String more = others == 0
                ? ""
                : " (likewise in " + others + (others == 1 ? " other trial" : " other trials") + ": see the caveats)";
        return CaveatSection.labelled(run, found.get(0)) + more + ".";
    }

    private static List<Block.Fact> tiles(RunView run, String variant) {
        List<Figures> own =
                run.whole(variant).stream().map(TrialResult::figures).toList();
        LoadCurve.@Nullable Point knee = run.curve(variant).knee();
        LatencyResult response = knee == null
                ? LatencyResult.median(own, figures -> figures.latency(run.shownFirst()))
                : knee.response();
        List<Block.Fact> tiles = new ArrayList<>();
        if (knee != null) {
            int trials = run.of(variant).size();
            String over = trials > 1 ? ", over " + trials + " trials" : "";
            boolean several = run.curve(variant).rising().get(0).rate() < knee.rate();
            List<String> slowerNotSustained = run.curve(variant).rising().stream()
                    .filter(point -> point.rate() < knee.rate() && point.state() != StepState.SUSTAINED)
                    .map(point -> NumberFormat.rate(point.rate()))
                    .toList();
            String what = !slowerNotSustained.isEmpty()
                    ? "but not " + NumberFormat.listed(slowerNotSustained)
                    : several
                            ? "and every slower offered rate"
                            : "the " + (run.curve(variant).rising().size() > 1 ? "lowest " : "")
                                    + "rate that was offered";
            boolean stopped = run.of(variant).stream()
                    .flatMap(trial -> trial.result().disturbances().stream())
                    .anyMatch(one -> one.gap() >= 1);
            String gaps = stopped ? ", including records due in gaps" : "";
            tile(tiles, "sustained", NumberFormat.rate(knee.rate()), what + gaps + over);
        } else {
            tile(
                    tiles,
                    Median.of(own, Figures::ackedPerSecond) == null ? "received" : "acked",
                    NumberFormat.rate(Median.of(own, Figures::carriedPerSecond)),
                    NumberFormat.mebibytes(Median.of(own, Figures::mebibytesPerSecond)));
        }
        String at = knee == null ? "over the whole trial" : "at " + NumberFormat.rate(knee.rate());
        Figures failed = own.stream().filter(Figures::mostFailed).findFirst().orElse(null);
        String of = run.shownFirst().word();
        if (knee == null && failed != null) {
            // If most operations failed, percentiles of response are only bounds.
            of = "success";
            response = failed.successes();
            tile(
                    tiles,
                    "failed",
                    NumberFormat.count(failed.count(Count.FAILED)),
                    "of " + NumberFormat.count(failed.count(Count.DUE)) + ", after "
                            + NumberFormat.latency(failed.failures(), 50) + " at p50");
        }
        tile(tiles, of + " p50", NumberFormat.latency(response, 50), at);
        tile(tiles, of + " p99", NumberFormat.latency(response, 99), at);
        tile(tiles, of + " p99.9", NumberFormat.latency(response, 99.9), at);
        LatencyResult e2e = knee == null ? LatencyResult.median(own, Figures::e2e) : knee.latency(Figures::e2e);
        if (e2e.p99() != null) {
            // The error does not fit next to a long number.
            String[] parts = NumberFormat.latency(e2e, 99).split(" (?=±)", 2);
            String with = run.caughtUp() ? at + ", without the backlog" : at;
            tile(tiles, "e2e p99", parts[0], parts.length > 1 ? parts[1] + ", " + with : with);
        }
        VariantTable.disturbed(run, variant).forEach((name, cell) -> {
            String[] parts = cell.split(", ", 2);
            tile(tiles, name, parts[0], parts.length > 1 ? parts[1] : "");
        });
        Long lost = VariantTable.worst(own, Count.LOST);
        String acked = NumberFormat.count(Known.most(own, figures -> figures.count(Count.ACKED)));
        tile(
                tiles,
                "lost",
                NumberFormat.count(lost),
                (own.size() > 1 ? "in the worst trial, of " : "of ") + acked + " acked");
        return tiles;
    }

    private static void tile(List<Block.Fact> tiles, String name, String figure, String remark) {
        // The mark does not fit next to a long number.
        boolean thin = figure.endsWith(NumberFormat.THIN);
        String value = thin ? figure.substring(0, figure.length() - NumberFormat.THIN.length()) : figure;
        tiles.add(new Block.Fact(name, value, "value", thin ? "thin, " + remark : remark));
    }
}
