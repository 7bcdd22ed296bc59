package weir.plan.check;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.Metric;
import weir.plan.Rate;
import weir.plan.Variant;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Keys;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Tree;

/**
 * The checks whether a search can find an answer, and whether each variant that needs a search has a search.
 *
 * @param names all variants, including those that do not run
 */
public record SearchChecks(
        Tree.Section top, List<String> names, List<LayeredExperiment.LayeredVariant> chosen, Findings findings) {
    private static final String CAPACITY = "search.capacity";
    private static final String BREAKING = "search.breaking-point";
    /** The metrics that a limit may name even if the load has no rate, because the search sets the rate. */
    private static final Set<String> ALWAYS = Set.of("achieved");

    public void check() {
        Tree.Section search = top.section("search");
        if (!findings.sound("search")) {
            return;
        }
        if (search.has("breaking-point")) {
            breaking(search.section("breaking-point"));
        }
        boolean capacity = search.has("capacity");
        if (capacity) {
            range(search.section("capacity"));
            capacity(search.section("capacity"));
        }
        for (SearchKind kind : Features.each(SearchKind.class)) {
            // Without a variant, other problems are already reported.
            if (search.has(kind.name()) && !chosen.isEmpty() && known(search.section(kind.name()))) {
                Tree.Section asked = search.section(kind.name());
                kind.check(top, fit(asked, "search." + kind.name()), findings);
            }
        }
        chosen.forEach(laid -> rate(laid, capacity, search));
    }

    private void range(Tree.Section capacity) {
        Rate from = capacity.rate("from");
        Rate to = capacity.rate("to");
        boolean both = from.perSecond() > 0 && to.perSecond() > 0;
        if (both && from.unit() != to.unit()) {
            findings.add(
                    capacity,
                    CAPACITY + ".to",
                    "'" + to.text() + "' and '" + from.text()
                            + "' for 'from' have different units; write both rates in bytes, or both in operations");
        } else if (both && from.perSecond() > to.perSecond()) {
            findings.add(
                    capacity,
                    CAPACITY + ".from",
                    "must be above 'from', found from '" + from.text() + "' to '" + to.text() + "'");
        }
    }

    private void capacity(Tree.Section capacity) {
        if (!known(capacity)) {
            return;
        }
        List<LayeredExperiment.LayeredVariant> searched = searched(capacity);
        String of = capacity.text("of");
        // A search for a variant that does not run stays only if other variants use its rate.
        chosen.stream()
                .filter(laid ->
                        searched.isEmpty() && laid.variant().load().rate().ofCapacity())
                .limit(1)
                .forEach(laid -> new ProblemSpot(laid.tree(), findings)
                        .wrong(
                                "load.rate",
                                "variant '" + laid.variant().name() + "' takes its rate from the capacity of '"
                                        + of + "', which this run skips; run both variants, as in --only " + of + ","
                                        + laid.variant().name() + ", or give a rate, as in --set load.rate=10k/s"));
        fit(capacity, CAPACITY);
    }

    /** Returns the searched variants that have what the search requires. */
    private List<LayeredExperiment.LayeredVariant> fit(Tree.Section asked, String path) {
        Keys.at(path).children().forEach((name, key) -> {
            if (key.required() && !asked.has(name)) {
                findings.add(asked, path, "needs '" + name + "', such as " + name + ": " + key.example());
            }
        });
        return searched(asked).stream()
                .filter(laid -> fits(asked, path, laid.variant()))
                .toList();
    }

    private boolean fits(Tree.Section asked, String path, Variant variant) {
        String lacks = Requirements.lacking(path, "", variant);
        if (!lacks.isEmpty()) {
            findings.add(asked, path, "variant '" + variant.name() + "' " + lacks);
        }
        for (Tree limit : asked.items("limits")) {
            Metric metric = ExpectationParser.parse(limit.line()).metric();
            if (!ALWAYS.contains(metric.name())) {
                findings.lacking(limit, path + ".limits", metric, variant, "");
            }
        }
        return lacks.isEmpty();
    }

    private void breaking(Tree.Section asked) {
        List<LayeredExperiment.LayeredVariant> meant = searched(asked);
        List<LayeredExperiment.LayeredVariant> stepped = meant.stream()
                .filter(laid -> !laid.variant().load().rate().steps().isEmpty())
                .toList();
        if (stepped.isEmpty() && !meant.isEmpty()) {
            Tree at = asked.entries().getOrDefault("of", asked);
            String name = meant.get(0).variant().name();
            findings.add(
                    at.origin(),
                    BREAKING,
                    "variant '" + name + "' has no steps; write load.rate:"
                            + " { steps: [1000/s to 2000/s by 100/s for 30s] }");
        }
        String path = BREAKING + ".limits";
        for (Tree limit : asked.items("limits")) {
            Expectation expectation = ExpectationParser.parse(limit.line());
            if (expectation.byWindow()) {
                findings.add(limit.origin(), path, "must be about a whole step; remove 'for … of windows'");
            }
            stepped.forEach(laid -> findings.lacking(limit, path, expectation.metric(), laid.variant(), ""));
        }
    }

    private void rate(LayeredExperiment.LayeredVariant laid, boolean capacity, Tree.Section search) {
        Variant variant = laid.variant();
        ProblemSpot spot = new ProblemSpot(laid.tree(), findings);
        if (variant.load().rate().ofCapacity() && !capacity) {
            spot.wrong(
                    "load.rate",
                    "requires a search for the capacity; write search: { capacity: { limits: [response p99 < 50ms]"
                            + " } }");
        }
        List<String> adaptive = Stream.concat(
                        Stream.of("capacity"),
                        Features.each(SearchKind.class).stream().map(SearchKind::name))
                .filter(name -> search.has(name) && known(search.section(name)))
                .toList();
        boolean searched = adaptive.stream()
                .anyMatch(name -> searched(search.section(name)).contains(laid));
        if (variant.rateOmitted() && !adaptive.isEmpty() && !searched) {
            spot.wrong(
                    "load.rate",
                    "variant '" + variant.name() + "' has no rate and no search; write rate: "
                            + (capacity ? "50% of capacity" : "max") + ", or search each: search." + adaptive.get(0)
                            + ".of: each");
        }
    }

    /** Returns false if the search names something unknown, which the check of names reports. */
    private boolean known(Tree.Section section) {
        return !Experiment.named(section.text("of"), names).isEmpty();
    }

    private List<LayeredExperiment.LayeredVariant> searched(Tree.Section section) {
        List<String> searched = Experiment.named(
                section.text("of"),
                chosen.stream().map(laid -> laid.variant().name()).toList());
        return chosen.stream()
                .filter(laid -> searched.contains(laid.variant().name()))
                .toList();
    }
}
