package weir.plan.check;

import java.util.List;
import weir.plan.Expectation;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;

/** Checks that where a variant breaks can be found: it has steps, and each step can be held against the limits. */
public record BreakingChecks(Tree.Section search, List<LayeredExperiment.Laid> chosen, Findings findings) {
    private static final String PATH = "search.breaking-point";

    public void check() {
        if (!findings.sound("search") || !search.has("breaking-point")) {
            return;
        }
        Tree.Section asked = search.section("breaking-point");
        List<LayeredExperiment.Laid> meant = SearchChecks.searched(asked, chosen);
        List<LayeredExperiment.Laid> stepped = meant.stream()
                .filter(laid -> !laid.variant().load().rate().steps().isEmpty())
                .toList();
        if (stepped.isEmpty() && !meant.isEmpty()) {
            Tree at = asked.entries().getOrDefault("of", asked);
            String name = meant.get(0).variant().name();
            findings.add(
                    at.origin(),
                    PATH,
                    "variant '" + name + "' has no steps that could break; write load.rate:"
                            + " { steps: [1000/s to 2000/s by 100/s for 30s] }");
        }
        asked.items("limits").forEach(limit -> limit(limit, stepped));
    }

    private void limit(Tree limit, List<LayeredExperiment.Laid> stepped) {
        Expectation expectation = ExpectationParser.parse(limit.line());
        if (expectation.byWindow()) {
            findings.add(limit.origin(), PATH + ".limits", "a step is judged as a whole; leave out 'for … of windows'");
        }
        stepped.forEach(laid -> findings.lacking(limit, PATH + ".limits", expectation.metric(), laid.variant()));
    }
}
