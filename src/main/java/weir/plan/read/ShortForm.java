package weir.plan.read;

import java.util.List;
import weir.plan.CaveatType;
import weir.plan.Expectation;
import weir.plan.syntax.ExpectationParser;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/**
 * The short form of an experiment: it shows that everything works, on whatever machine is at hand. So a generator that is
 * late is accepted, and speed is only judged where the section {@code short} or the command line itself says so.
 */
final class ShortForm {
    static final String WHY = "a short form shows that it works, not how fast it is";

    private static final List<CaveatType> ACCEPTED = List.of(CaveatType.GENERATOR_LATE, CaveatType.RATE_MISSED);

    private ShortForm() {}

    static Tree.Section of(Tree.Section top) {
        Tree.Section accepted = top.section("accept");
        for (CaveatType caveat : ACCEPTED) {
            if (!accepted.has(caveat.word())) {
                accepted = accepted.with(caveat.word(), new Tree.Text(WHY, true, Origin.unwritten("--short")));
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
