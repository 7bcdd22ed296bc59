package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.results.value.GeneratorResult;
import weir.results.value.GeneratorResult.AloneResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** How much of what our own generator can send here it had to send, the rest being its reserve; and what it holds alone. */
final class GeneratorReserve {
    private GeneratorReserve() {}

    /** A sentence for each variant, one for all that have none for the same reason. */
    static List<String> sentences(RunView run) {
        List<String> sentences = new ArrayList<>();
        for (String variant : run.variants()) {
            TrialResult trial = run.median(variant).result();
            String sentence = sentence(trial);
            if (!sentence.isEmpty()) {
                boolean named = run.variants().size() > 1 && trial.generator().ceilingPerSecond() != null;
                sentences.add(named ? variant + ": " + sentence : sentence);
            }
        }
        return sentences.stream().distinct().toList();
    }

    /** All variants in one line; empty where none has a ceiling. */
    static String line(RunView run) {
        List<String> parts = new ArrayList<>();
        for (String variant : run.variants()) {
            TrialResult trial = run.median(variant).result();
            @Nullable Double used = trial.generator().used(trial.mostAckedPerSecond());
            if (used != null) {
                parts.add((run.variants().size() > 1 ? variant + " " : "") + NumberFormat.percent(used) + " of "
                        + NumberFormat.rate(trial.generator().ceilingPerSecond()));
            }
        }
        return parts.isEmpty() ? "" : "generator used " + String.join(", ", parts) + ", its ceiling (null target)";
    }

    private static String sentence(TrialResult trial) {
        GeneratorResult generator = trial.generator();
        @Nullable Double used = generator.used(trial.mostAckedPerSecond());
        @Nullable String note = generator.ceilingNote();
        if (used == null) {
            return note == null || note.isEmpty() ? "" : "the generator's own ceiling: " + note;
        }
        if (used > 1) {
            return "the generator sent more than it did against a null target before the trials ("
                    + NumberFormat.rate(generator.ceilingPerSecond()) + "), so its ceiling is at least that";
        }
        return "the generator used " + NumberFormat.percent(used) + " of what it can send on this machine (ceiling "
                + NumberFormat.rate(generator.ceilingPerSecond()) + " against a null target"
                + (note == null || note.isEmpty() ? "" : ", " + note) + ")";
    }

    /** The pace against a null target, a sentence for each sending side that was tried so: what breaks there was not tested. */
    static List<String> alone(RunView run) {
        return run.results().stream()
                .map(TrialResult::generator)
                .map(generator -> alone(generator.alone()))
                .filter(sentence -> !sentence.isEmpty())
                .distinct()
                .toList();
    }

    private static String alone(List<AloneResult> steps) {
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
