package weir.results;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.value.ComparisonResult;

/**
 * The comparison of stored runs with the first run: the differences, the caveats and the results.
 *
 * @param apart the pairs that must not share an axis
 * @param gate the tolerance and the outcome of the gate; null without a gate
 */
public record RunComparison(
        int version,
        List<Side> runs,
        List<Difference> differences,
        List<String> doubts,
        List<ComparisonResult> comparisons,
        List<Apart> apart,
        @Nullable Gate gate,
        int exit) {
    public static final int VERSION = 1;

    public RunComparison {
        runs = List.copyOf(runs);
        differences = List.copyOf(differences);
        doubts = List.copyOf(doubts);
        comparisons = List.copyOf(comparisons);
        apart = List.copyOf(apart);
    }

    /** One run and its letter in this comparison; {@code state} is the {@link RunState#word} of the run. */
    public record Side(
            String label, String run, String name, String state, int trials, String startedAt, String kafka) {}

    public record Difference(Kind kind, String name, List<String> values) {
        public Difference {
            values = List.copyOf(values);
        }

        public enum Kind {
            MACHINE,
            KAFKA,
            SOFTWARE,
            SETTING,
            PROPERTY,
            LABEL
        }
    }

    /** Two results with figures but without ratios, because they differ in a part of the comparison key. */
    public record Apart(String a, String b, String differs, List<ComparisonResult> figures) {
        public Apart {
            figures = List.copyOf(figures);
        }

        public String text() {
            return a + " and " + b + " have no ratio: " + differs + ".";
        }
    }

    public record Gate(double tolerance, GateOutcome outcome, List<String> why) {
        public Gate {
            why = List.copyOf(why);
        }
    }
}
