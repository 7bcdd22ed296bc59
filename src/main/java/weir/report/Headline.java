package weir.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import weir.plan.CaveatType;
import weir.results.Capacities;
import weir.results.CapacityResult;
import weir.results.Caveat;
import weir.results.Figures;
import weir.results.LatencyResult;
import weir.results.LoadCurve;
import weir.results.OperationsResult;
import weir.results.TrialResult;
import weir.results.Written;

/** What is read first: how far the numbers can be trusted, the answer, what it is an answer about, and its figures. */
final class Headline {
    private Headline() {}

    static Html html(Story story) {
        Html html = new Html();
        html.open("header", "id", "answer");
        html.open("p", "class", "overline");
        html.element(
                "span", badge(story), "class", "badge " + story.badge().name().toLowerCase(Locale.ROOT));
        html.element("span", story.folder().name(), "class", "run");
        html.close();
        if (!story.asked().question().isBlank()) {
            html.element("p", story.asked().question(), "class", "question");
        }
        html.element("h1", story.conclusion().answer());
        html.element("p", story.conclusion().scope(), "class", "scope");
        for (String loss : story.conclusion().losses()) {
            html.element("p", loss, "class", "loss");
        }
        if (!story.capacities().isEmpty()) {
            html.add(capacities(story.capacities()));
        }
        html.add(figures(story));
        if (!story.conclusion().advice().isEmpty()) {
            html.open("div", "class", "advice").element("h2", "What to do next");
            html.open("ul");
            story.conclusion().advice().forEach(advice -> html.element("li", advice));
            html.close().close();
        }
        return html.close();
    }

    private static String badge(Story story) {
        long doubts = story.caveats().stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE)
                .map(Caveat::type)
                .distinct()
                .count();
        return switch (story.badge()) {
            case VALID -> "valid";
            case SUSPECT -> "suspect · " + doubts + (doubts == 1 ? " doubt" : " doubts");
            case INVALID -> "invalid";
            case UNFINISHED -> "unfinished";
        };
    }

    private static Html capacities(List<CapacityResult> found) {
        Html html = new Html();
        html.open("dl", "class", "tiles");
        for (CapacityResult result : found) {
            tile(
                    html,
                    found.size() == 1 ? "capacity" : "capacity of " + result.of(),
                    result.rate() == null ? "none" : Written.rate(result.rate()),
                    result.rate() == null
                            ? "no rate holds"
                            : "95 % interval " + Capacities.interval(result) + ", "
                                    + result.tried().size() + " trials");
        }
        return html.close();
    }

    private static Html figures(Story story) {
        List<String> variants = story.variants();
        if (variants.isEmpty()) {
            return new Html();
        }
        return variants.size() == 1 ? tiles(story, variants.get(0)) : atAGlance(story, variants);
    }

    private static Html tiles(Story story, String variant) {
        TrialResult trial = story.median(variant).result();
        LoadCurve.@Nullable Stage knee = story.curve(variant).knee();
        LatencyResult response = knee == null ? trial.figures().response() : knee.response();
        Figures f = trial.figures();
        Html html = new Html();
        html.open("dl", "class", "tiles");
        if (knee != null) {
            int trials = story.of(variant).size();
            String over = trials > 1 ? ", over " + trials + " trials" : "";
            tile(html, "held", Written.rate(knee.rate()), "and every slower rate" + over);
        } else {
            tile(
                    html,
                    f.ackedPerSecond() == null ? "received" : "acked",
                    carried(f),
                    Written.mebibytes(f.mebibytesPerSecond()));
        }
        String at = knee == null ? "over the whole trial" : "at " + Written.rate(knee.rate());
        tile(html, "response p50", Written.latency(response, 50), at);
        tile(html, "response p99", Written.latency(response, 99), at);
        tile(html, "response p99.9", Written.latency(response, 99.9), at);
        LatencyResult e2e = trial.steps().stream()
                .filter(step -> knee != null && step.step() == knee.step())
                .findFirst()
                .map(step -> step.figures().e2e())
                .orElse(f.e2e());
        if (e2e.p99() != null) {
            tile(html, "e2e p99", Written.latency(e2e, 99), at);
        }
        tile(html, "lost", Written.count(f.lost()), "of " + Written.count(f.acked()) + " acked");
        return html.close();
    }

    private static String carried(Figures f) {
        return Written.rate(f.ackedPerSecond() == null ? f.receivedPerSecond() : f.ackedPerSecond());
    }

    private static void tile(Html html, String name, String value, String note) {
        html.open("div").element("dt", name).element("dd", value, "class", "value");
        html.element("dd", note, "class", "note").close();
    }

    private static Html atAGlance(Story story, List<String> variants) {
        boolean stepped = story.stepped();
        boolean acks = story.trials().stream().anyMatch(trial -> trial.figures().ackedPerSecond() != null);
        boolean operates =
                story.trials().stream().anyMatch(trial -> trial.figures().operations() != null);
        Table table = new Table(
                1,
                "variant",
                stepped ? "held" : acks ? "acked" : "received",
                "response p50",
                "p99",
                "p99.9",
                stepped ? "most achieved" : operates ? "operations" : "MiB/s",
                "lost",
                "trials");
        for (String variant : variants) {
            TrialResult trial = story.median(variant).result();
            LoadCurve.@Nullable Stage knee = stepped ? story.curve(variant).knee() : null;
            LatencyResult response = knee == null ? trial.figures().response() : knee.response();
            String carried = !stepped ? carried(trial.figures()) : knee == null ? "nothing" : Written.rate(knee.rate());
            table.row(
                    variant,
                    carried,
                    Written.latency(response, 50),
                    Written.latency(response, 99),
                    Written.latency(response, 99.9),
                    stepped
                            ? most(story, variant)
                            : operates ? operations(trial.figures()) : mebibytes(trial.figures()),
                    Written.count(trial.figures().lost()),
                    String.valueOf(story.of(variant).size()));
        }
        return table.html(
                "glance", stepped ? "Each variant at the rate it held (median trial)" : "Each variant (median trial)");
    }

    private static String most(Story story, String variant) {
        return Written.rate(story.curve(variant).stages().stream()
                .mapToDouble(LoadCurve.Stage::achievedPerSecond)
                .max()
                .orElse(0));
    }

    private static String operations(Figures figures) {
        OperationsResult operations = figures.operations();
        return operations == null ? Written.MISSING : Written.rate(operations.perSecond());
    }

    private static String mebibytes(Figures figures) {
        Double perSecond = figures.mebibytesPerSecond();
        return perSecond == null ? Written.MISSING : Written.number(perSecond);
    }
}
