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
import weir.plan.syntax.Defaults;
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
            searched(search.section("capacity"));
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
        List<String> search = List.of("search");
        Tree.Section part =
                Defaults.fill(top.only(search), search).section("search").section("capacity");
        Rate from = part.rate("from");
        Rate to = part.rate("to");
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

    private void searched(Tree.Section capacity) {
        if (!known(capacity)) {
            return;
        }
        List<LayeredExperiment.LayeredVariant> searched = searched(capacity, chosen);
        // A search for a variant that does not run stays only if other variants use its rate.
        chosen.stream()
                .filter(laid ->
                        searched.isEmpty() && laid.variant().load().rate().ofCapacity())
                .limit(1)
                .forEach(laid -> new ProblemSpot(laid.tree(), findings)
                        .wrong(
                                "load.rate",
                                "variant '" + laid.variant().name() + "' takes its rate from the capacity of '"
                                        + of(capacity) + "', which this run skips; run both variants, as in --only "
                                        + of(capacity) + "," + laid.variant().name()
                                        + ", or give a rate, as in --set load.rate=10k/s"));
        fit(capacity, CAPACITY);
    }

    /** Returns the searched variants that have what the search requires. */
    private List<LayeredExperiment.LayeredVariant> fit(Tree.Section asked, String path) {
        Keys.at(path).children().forEach((name, key) -> {
            if (key.required() && !asked.has(name)) {
                findings.add(asked, path, "needs '" + name + "', such as " + name + ": " + key.example());
            }
        });
        return searched(asked, chosen).stream()
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
                findings.lacking(limit, path + ".limits", metric, variant);
            }
        }
        return lacks.isEmpty();
    }

    private void breaking(Tree.Section asked) {
        List<LayeredExperiment.LayeredVariant> meant = searched(asked, chosen);
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
        asked.items("limits").forEach(limit -> step(limit, stepped));
    }

    private void step(Tree limit, List<LayeredExperiment.LayeredVariant> stepped) {
        Expectation expectation = ExpectationParser.parse(limit.line());
        if (expectation.byWindow()) {
            findings.add(limit.origin(), BREAKING + ".limits", "must be about a whole step; remove 'for … of windows'");
        }
        stepped.forEach(laid -> findings.lacking(limit, BREAKING + ".limits", expectation.metric(), laid.variant()));
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
        List<Tree.Section> adaptive = Stream.concat(
                        Stream.of("capacity"),
                        Features.each(SearchKind.class).stream().map(SearchKind::name))
                .filter(search::has)
                .map(search::section)
                .filter(this::known)
                .toList();
        boolean searched =
                adaptive.stream().anyMatch(each -> searched(each, chosen).contains(laid));
        if (variant.rateUnsaid() && !adaptive.isEmpty() && !searched) {
            spot.wrong(
                    "load.rate",
                    "variant '" + variant.name() + "' has no rate and no search; write rate: "
                            + (capacity
                                    ? "50% of capacity, or search each: search.capacity.of: each"
                                    : "max, or search each: search."
                                            + Features.each(SearchKind.class).stream()
                                                    .map(SearchKind::name)
                                                    .filter(search::has)
                                                    .findFirst()
                                                    .orElseThrow()
                                            + ".of: each"));
        }
    }

    /** Returns false if the search names something unknown, which the check of names reports. */
    private boolean known(Tree.Section section) {
        String of = of(section);
        return of.isEmpty()
                || of.equals(Experiment.EACH)
                || !LayeredExperiment.points(of, names).isEmpty();
    }

    private static String of(Tree.Section section) {
        return section.entries().get("of") instanceof Tree.Text text && !text.isNull() ? text.text() : "";
    }

    static List<LayeredExperiment.LayeredVariant> searched(
            Tree.Section section, List<LayeredExperiment.LayeredVariant> chosen) {
        String of = of(section);
        if (of.isEmpty()) {
            return chosen.subList(0, Math.min(1, chosen.size()));
        }
        return chosen.stream()
                .filter(laid -> of.equals(Experiment.EACH)
                        || !LayeredExperiment.points(of, List.of(laid.variant().name()))
                                .isEmpty())
                .toList();
    }
}
