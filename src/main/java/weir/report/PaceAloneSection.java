package weir.report;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import weir.results.value.AloneResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The test of the generator's pace alone, against a null target: what breaks there is not what was tested. */
final class PaceAloneSection {
    private PaceAloneSection() {}

    /** One for each sending side that was tried so. */
    static List<String> sentences(RunView run) {
        return run.results().stream()
                .map(TrialResult::generator)
                .map(generator -> sentence(generator.alone()))
                .filter(sentence -> !sentence.isEmpty())
                .distinct()
                .toList();
    }

    private static String sentence(List<AloneResult> steps) {
        if (steps.isEmpty()) {
            return "";
        }
        AloneResult worst = steps.stream()
                .filter(step -> !step.holds())
                .min(Comparator.comparingDouble(AloneResult::rate))
                .orElse(null);
        double late = steps.stream()
                .map(AloneResult::lateP99)
                .filter(Objects::nonNull)
                .mapToDouble(value -> value)
                .max()
                .orElse(0);
        double highest = steps.stream().mapToDouble(AloneResult::rate).max().orElse(0);
        return worst == null
                ? "the generator alone sustains every step, up to " + NumberFormat.rate(highest)
                        + " against a null target: late p99 " + NumberFormat.millis(late) + " at most"
                : "the generator does not sustain " + NumberFormat.rate(worst.rate())
                        + " even alone, against a null target: achieved " + NumberFormat.percent(worst.achieved())
                        + ", late p99 " + NumberFormat.millis(worst.lateP99());
    }
}
