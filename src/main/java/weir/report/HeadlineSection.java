package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.judge.Capacities;
import weir.judge.LoadCurve;
import weir.judge.SearchAnswers;
import weir.judge.tune.TuneSentence;
import weir.measure.Count;
import weir.measure.Median;
import weir.plan.CaveatType;
import weir.report.chart.GlossaryLinks;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.report.profile.ProfileSection;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.ExpectResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.OperationsResult;
import weir.results.value.PartitionsResult;
import weir.results.value.TuneResult;
import weir.results.value.TuneResult.Finalist;

/** The first part: how far the numbers can be trusted, the answer, what it is an answer about, and its figures. */
final class HeadlineSection {
    /** More pairs than these are a table's. */
    private static final int MOST_COMPARED = 4;

    /** The column of the latency from end to end, where somebody reads. */
    private static final int E2E = 5;

    private HeadlineSection() {}

    static Html html(RunView run) {
        Html html = new Html();
        html.open("header", "id", "answer");
        html.open("p", "class", "overline");
        String look = "badge " + run.badge().name().toLowerCase(Locale.ROOT);
        if (run.caveats().isEmpty()) {
            html.element("span", badge(run), "class", look);
        } else {
            html.element("a", badge(run), "class", look, "href", "#caveats");
        }
        html.element("span", run.folder().name(), "class", "run");
        html.close();
        if (!run.asked().question().isBlank()) {
            html.element("p", run.asked().question(), "class", "question");
        }
        html.element("h1", run.conclusion().answer());
        html.element("p", run.conclusion().scope(), "class", "scope");
        if (!run.conclusion().details().isEmpty()) {
            html.open("ul", "class", "details");
            run.conclusion().details().forEach(detail -> html.element("li", detail));
            html.close();
        }
        for (String loss : run.conclusion().losses()) {
            html.element("p", loss, "class", "loss");
        }
        for (String broken : ProfileSection.broken(run)) {
            html.element("p", broken, "class", "loss");
        }
        html.add(answers(run));
        html.add(figures(run));
        if (!run.conclusion().advice().isEmpty()) {
            html.open("div", "class", "advice").element("h2", "What to do next");
            html.open("ul");
            run.conclusion().advice().forEach(advice -> html.element("li", advice));
            html.close().close();
        }
        return html.close();
    }

    private static String badge(RunView run) {
        long doubts = run.caveats().stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE)
                .map(Caveat::type)
                .distinct()
                .count();
        return switch (run.badge()) {
            case VALID -> "valid";
            case SUSPECT -> "suspect · " + doubts + (doubts == 1 ? " doubt" : " doubts");
            case INVALID -> "invalid";
            case UNFINISHED -> "unfinished";
        };
    }

    /** The figures that the question asks for: capacities, what is compared first, and what was expected in vain. */
    private static Html answers(RunView run) {
        Html tiles = new Html();
        for (CapacityResult result : run.capacities()) {
            tile(
                    tiles,
                    run.capacities().size() == 1 ? "capacity" : "capacity of " + result.of(),
                    result.rate() == null
                            ? "none"
                            : Capacities.wide(result) ? "undecided" : NumberFormat.rate(result.rate()),
                    result.rate() == null
                            ? "no rate is sustained"
                            : "95 % interval " + Capacities.interval(result) + ", "
                                    + result.tried().size() + " trials");
        }
        for (PartitionsResult result : run.found().partitions()) {
            tile(
                    tiles,
                    run.found().partitions().size() == 1 ? "partitions" : "partitions of " + result.of(),
                    result.partitions() == null ? "not known" : String.valueOf(result.partitions()),
                    result.low() == null
                            ? result.reason()
                            : "for " + result.target() + ", interval " + SearchAnswers.interval(result));
        }
        for (TuneResult result : run.found().tunings()) {
            Finalist best = result.better().stream().findFirst().orElse(null);
            tile(
                    tiles,
                    run.found().tunings().size() == 1 ? "settings" : "settings of " + result.of(),
                    best == null
                            ? result.finalists().isEmpty() ? "not known" : "the defaults"
                            : TuneSentence.gain(result, best),
                    best == null ? result.reason() : TuneSentence.name(best));
        }
        List<ComparisonResult> compared = primary(run.comparisons());
        for (ComparisonResult one : compared.subList(0, Math.min(MOST_COMPARED, compared.size()))) {
            tile(tiles, one.pair() + ", " + one.metric(), one.writtenRatio(), interval(one) + one.judged());
        }
        List<ExpectResult> missed =
                run.expect().stream().filter(expect -> !expect.passed()).toList();
        if (!missed.isEmpty()) {
            String first = missed.get(0).text();
            tile(
                    tiles,
                    "expectations",
                    run.expect().size() - missed.size() + " of " + run.expect().size() + " passed",
                    missed.get(0).verdict() + ": " + first
                            + (missed.size() > 1 ? " and " + (missed.size() - 1) + " more" : ""));
        }
        if (run.found().isEmpty() && compared.isEmpty() && missed.isEmpty()) {
            return new Html();
        }
        return new Html().open("dl", "class", "tiles answers").add(tiles).close();
    }

    /** The first figure of each pair that has a ratio: the one that it is compared by. */
    private static List<ComparisonResult> primary(List<ComparisonResult> comparisons) {
        List<String> seen = new ArrayList<>();
        List<ComparisonResult> primary = new ArrayList<>();
        for (ComparisonResult one : comparisons) {
            if (one.ratio() != null && !seen.contains(one.pair())) {
                seen.add(one.pair());
                primary.add(one);
            }
        }
        return primary;
    }

    private static String interval(ComparisonResult one) {
        return one.low() == null && one.high() == null ? "" : one.interval() + ", ";
    }

    private static Html figures(RunView run) {
        List<String> variants = run.variants();
        if (variants.isEmpty()) {
            return new Html();
        }
        return variants.size() == 1 ? tiles(run, variants.get(0)) : atAGlance(run, variants);
    }

    private static Html tiles(RunView run, String variant) {
        List<Figures> own = figures(run, variant);
        LoadCurve.@Nullable Point knee = run.curve(variant).knee();
        LatencyResult response = knee == null ? latency(own, Figures::response) : knee.response();
        Html html = new Html();
        html.open("dl", "class", "tiles");
        if (knee != null) {
            int trials = run.of(variant).size();
            String over = trials > 1 ? ", over " + trials + " trials" : "";
            boolean several = run.curve(variant).rising().get(0).rate() < knee.rate();
            String what = several ? "and every slower rate that was offered" : "the rate that was offered";
            tile(html, "sustained", NumberFormat.rate(knee.rate()), what + over);
        } else {
            tile(
                    html,
                    Median.of(own, Figures::ackedPerSecond) == null ? "received" : "acked",
                    carried(own),
                    NumberFormat.mebibytes(Median.of(own, Figures::mebibytesPerSecond)));
        }
        String at = knee == null ? "over the whole trial" : "at " + NumberFormat.rate(knee.rate());
        tile(html, "response p50", NumberFormat.latency(response, 50), at);
        tile(html, "response p99", NumberFormat.latency(response, 99), at);
        tile(html, "response p99.9", NumberFormat.latency(response, 99.9), at);
        LatencyResult e2e = knee == null ? latency(own, Figures::e2e) : knee.latency(Figures::e2e);
        if (e2e.p99() != null) {
            // The error would not fit beside a long number.
            String[] parts = NumberFormat.latency(e2e, 99).split(" (?=±)", 2);
            tile(html, "e2e p99", parts[0], parts.length > 1 ? parts[1] + ", " + at : at);
        }
        Long lost = lost(own);
        String acked = NumberFormat.count(own.stream()
                .map(figures -> figures.count(Count.ACKED))
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null));
        tile(
                html,
                "lost",
                NumberFormat.count(lost),
                (own.size() > 1 ? "in the worst trial, of " : "of ") + acked + " acked");
        return html.close();
    }

    private static String carried(List<Figures> own) {
        Double acked = Median.of(own, Figures::ackedPerSecond);
        return NumberFormat.rate(acked == null ? Median.of(own, Figures::receivedPerSecond) : acked);
    }

    private static void tile(Html html, String name, String value, String note) {
        html.open("div").open("dt").add(GlossaryLinks.linked(name)).close().element("dd", value, "class", "value");
        html.element("dd", note, "class", "note").close();
    }

    private static Html atAGlance(RunView run, List<String> variants) {
        boolean stepped = run.stepped();
        boolean acks = run.results().stream().anyMatch(trial -> trial.figures().ackedPerSecond() != null);
        boolean operates =
                run.results().stream().anyMatch(trial -> trial.figures().operations() != null);
        boolean read = run.read();
        List<String> head = new ArrayList<>(List.of(
                "variant",
                stepped ? "sustained" : acks ? "acked" : "received",
                "response p50",
                "p99",
                "p99.9",
                stepped ? "most achieved" : operates ? "operations" : "MiB/s",
                "lost",
                "trials"));
        if (read) {
            head.add(E2E, "e2e p99");
        }
        Table table = new Table(1, head);
        for (String variant : variants) {
            List<Figures> own = figures(run, variant);
            LoadCurve.@Nullable Point knee = stepped ? run.curve(variant).knee() : null;
            LatencyResult response = knee == null ? latency(own, Figures::response) : knee.response();
            String carried = !stepped ? carried(own) : knee == null ? "nothing" : NumberFormat.rate(knee.rate());
            List<String> row = new ArrayList<>(List.of(
                    variant,
                    carried,
                    NumberFormat.latency(response, 50),
                    NumberFormat.latency(response, 99),
                    NumberFormat.latency(response, 99.9),
                    stepped ? most(run, variant) : operates ? operations(own) : mebibytes(own),
                    NumberFormat.count(lost(own)),
                    String.valueOf(run.of(variant).size())));
            if (read) {
                row.add(
                        E2E,
                        NumberFormat.latency(
                                knee == null ? latency(own, Figures::e2e) : knee.latency(Figures::e2e), 99));
            }
            table.row(row);
        }
        return table.html(
                "glance",
                (stepped ? "Each variant at the rate it sustained" : "Each variant")
                        + " (medians over its trials; lost: the worst trial)");
    }

    private static String most(RunView run, String variant) {
        return NumberFormat.rate(run.curve(variant).points().stream()
                .mapToDouble(LoadCurve.Point::achievedPerSecond)
                .max()
                .orElse(0));
    }

    private static String operations(List<Figures> own) {
        Double perSecond = Median.of(own, f -> {
            OperationsResult operations = f.operations();
            return operations == null ? null : operations.perSecond();
        });
        return perSecond == null ? NumberFormat.MISSING : NumberFormat.rate(perSecond);
    }

    private static String mebibytes(List<Figures> own) {
        Double perSecond = Median.of(own, Figures::mebibytesPerSecond);
        return perSecond == null ? NumberFormat.MISSING : NumberFormat.number(perSecond);
    }

    private static List<Figures> figures(RunView run, String variant) {
        List<TrialView> own = run.of(variant);
        List<TrialView> whole = own.stream().filter(TrialView::finished).toList();
        return (whole.isEmpty() ? own : whole)
                .stream().map(trial -> trial.result().figures()).toList();
    }

    private static LatencyResult latency(List<Figures> own, Function<Figures, LatencyResult> which) {
        return LatencyResult.median(own.stream().map(which).toList());
    }

    /** The losses of the worst trial; null when a trial does not know its own. */
    private static @Nullable Long lost(List<Figures> own) {
        Long worst = 0L;
        for (Figures figures : own) {
            Long lost = figures.count(Count.LOST);
            worst = worst == null || lost == null ? null : (Long) Math.max(worst, lost);
        }
        return worst;
    }
}
