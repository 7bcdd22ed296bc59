package weir.report.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import weir.judge.caveat.Promises;
import weir.judge.profile.ProfileScale;
import weir.judge.profile.StackTree;
import weir.measure.Count;
import weir.plan.CaveatType;
import weir.plan.ProfileSpec;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;
import weir.results.profile.ProfileResult;
import weir.results.profile.ProfiledTrial;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** A profile with its trial and its stacks. */
record ShownProfile(int number, String variant, ProfiledTrial trial, ProfileResult result, StackTree tree) {
    /** All profiles of a run, in the order of their trials; {@code notes} hears why one cannot be read. */
    static List<ShownProfile> of(RunFolder folder, Consumer<String> notes) {
        List<ShownProfile> all = new ArrayList<>();
        for (TrialFolder trial : finished(folder)) {
            for (ProfiledTrial profiled : ProfiledTrial.of(trial)) {
                for (ProfileResult result : profiled.contents().profiles()) {
                    try {
                        StackTree tree = new StackTree();
                        profiled.stacks(result, tree::add);
                        all.add(new ShownProfile(
                                trial.started().trial(), trial.started().variant(), profiled, result, tree));
                    } catch (UnreadableRunException e) {
                        notes.accept(String.valueOf(e.getMessage()));
                    }
                }
            }
        }
        return all;
    }

    static List<TrialFolder> finished(RunFolder folder) {
        return folder.profiled().stream().filter(TrialFolder::finished).toList();
    }

    /** The reasons why profiles are missing, or are not as they were asked for, and what else went wrong, by variant. */
    static List<String> notes(RunFolder folder) {
        List<String> notes = new ArrayList<>();
        for (TrialFolder trial : finished(folder)) {
            String variant = trial.started().variant() + ": ";
            if (!Promises.kept(trial, trial.result())) {
                notes.add(variant
                        + "a promise of Kafka was broken in the profiled trial, so the run ends with exit code 5; "
                        + lost(trial.result()));
            }
            if (trial.caveats().stream().anyMatch(caveat -> caveat.is(CaveatType.INTERRUPTED))) {
                notes.add(variant
                        + "the profiled trial was interrupted, so its profiles are those of a part of it; --resume"
                        + " takes them anew");
            }
            ProfiledTrial.of(trial)
                    .forEach(profiled -> profiled.contents().notes().forEach(note -> notes.add(variant + note)));
        }
        return notes;
    }

    private static String lost(TrialResult result) {
        List<String> counts = new ArrayList<>(result.figures().violations());
        for (Count count : List.of(Count.LOST, Count.DUPLICATED, Count.REORDERED)) {
            Long counted = result.figures().count(count);
            if (counted != null && counted > 0) {
                counts.add(count.word() + " " + NumberFormat.count(counted));
            }
        }
        return counts.isEmpty() ? "its folder says more" : String.join(", ", counts);
    }

    /** The kind of its process: broker, worker, gateway, channel. */
    String role() {
        return role(result.process());
    }

    static String role(String process) {
        return process.replaceFirst("-\\d+$", "");
    }

    String event() {
        return result.event().word();
    }

    /** The name of its page, in the folder of profiled trials. */
    String page() {
        return String.format(Locale.ROOT, "%02d-%s-%s.html", number, result.process(), event());
    }

    boolean empty() {
        return result.total() == 0;
    }

    /** The percent that a weight is of all. */
    double percent(long weight) {
        return empty() ? 0 : 100.0 * weight / result.total();
    }

    /** True when its weights stand for a cost: a sampler that skips threads does not tell how much CPU they used. */
    boolean costs() {
        boolean guessed = result.event() == ProfileSpec.Event.CPU && result.biased();
        boolean carried =
                result.event() == ProfileSpec.Event.WALL || trial.contents().records() > 0;
        return !guessed && carried && result.seconds() > 0 && trial.contents().seconds() > 0;
    }

    /** The unit of what its frames weigh. */
    String unit() {
        return costs()
                ? ProfileScale.unit(result.event())
                : result.event() == ProfileSpec.Event.ALLOC
                        ? "bytes"
                        : result.event() == ProfileSpec.Event.LOCK ? "ns" : "samples";
    }

    ProfileScale scale() {
        return costs() ? scale(List.of(this)) : ProfileScale.bare(result.sample());
    }

    /** The scale of several profiles of one trial together, which are of the same event and by the same tool. */
    static ProfileScale scale(List<ShownProfile> together) {
        ShownProfile one = together.get(0);
        double seconds = together.stream()
                .mapToDouble(profile -> profile.result.seconds())
                .average()
                .orElseThrow();
        double share = seconds / one.trial.contents().seconds();
        double weights = together.stream()
                .mapToDouble(profile -> (double) profile.result.total())
                .sum();
        double squares = together.stream()
                .mapToDouble(profile -> profile.result.sample() * profile.result.total())
                .sum();
        return ProfileScale.of(
                one.result.event(),
                one.result.perUnit(),
                weights > 0 ? squares / weights : 1,
                one.trial.contents().records() * share,
                seconds);
    }

    /** How it was taken. */
    String taken() {
        return String.format(
                Locale.ROOT,
                "%s, %s: %,d samples in %.1f s",
                result.tool(),
                result.engine(),
                result.samples(),
                result.seconds());
    }
}
