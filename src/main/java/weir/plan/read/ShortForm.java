package weir.plan.read;

import java.util.List;
import java.util.Map;
import weir.plan.Expectation;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/**
 * The short form of an experiment: it shows that everything works, on whatever machine is at hand. So a generator that is
 * late is accepted, and speed is only judged where the section {@code short} or the command line itself says so.
 */
final class ShortForm {
    static final Map<String, String> ACCEPTED = Map.of(
            "generator-late", "a short form shows that it works, not how fast it is",
            "rate-missed", "a short form shows that it works, not how fast it is");

    private ShortForm() {}

    static Tree.Section of(Tree.Section top) {
        Tree.Section accepted = top.section("accept");
        for (Map.Entry<String, String> caveat : ACCEPTED.entrySet()) {
            if (!accepted.has(caveat.getKey())) {
                accepted = accepted.with(
                        caveat.getKey(), new Tree.Text(caveat.getValue(), true, Origin.unwritten("--short")));
            }
        }
        Tree.Section lenient = top.with("accept", accepted);
        if (top.entries().get("expect") instanceof Tree.Items expected) {
            List<Tree> judged =
                    expected.items().stream().filter(ShortForm::judged).toList();
            return lenient.with("expect", new Tree.Items(judged, expected.origin()));
        }
        return lenient;
    }

    private static boolean judged(Tree expected) {
        return !expected.origin().layer().isEmpty() || !ofSpeed(ExpectationParser.parse(expected.line()));
    }

    private static boolean ofSpeed(Expectation expected) {
        boolean number = expected.unit() == Expectation.Unit.NUMBER || expected.unit() == Expectation.Unit.RECORDS;
        return !expected.counts() && (expected.ratio() || !number);
    }
}
