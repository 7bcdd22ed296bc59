package weir.report.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import weir.judge.profile.ProfileScale;
import weir.judge.profile.StackTree;
import weir.plan.ProfileSpec;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.profile.ProfileResult;
import weir.results.profile.ProfiledTrial;

/** A profile with its trial and its stacks. */
record ShownProfile(int number, String variant, ProfiledTrial trial, ProfileResult result, StackTree tree) {
    /** All profiles of a run, in the order of their trials. */
    static List<ShownProfile> of(RunFolder folder) {
        List<ShownProfile> all = new ArrayList<>();
        for (TrialFolder trial : finished(folder)) {
            for (ProfiledTrial profiled : ProfiledTrial.of(trial)) {
                for (ProfileResult result : profiled.contents().profiles()) {
                    StackTree tree = new StackTree();
                    profiled.stacks(result, tree::add);
                    all.add(new ShownProfile(
                            trial.started().trial(), trial.started().variant(), profiled, result, tree));
                }
            }
        }
        return all;
    }

    static List<TrialFolder> finished(RunFolder folder) {
        return folder.profiled().stream().filter(TrialFolder::finished).toList();
    }

    /** The reasons why profiles are missing, or are not as they were asked for, each with its variant. */
    static List<String> notes(RunFolder folder) {
        return finished(folder).stream()
                .flatMap(trial -> ProfiledTrial.of(trial).stream()
                        .flatMap(profiled -> profiled.contents().notes().stream())
                        .map(note -> trial.started().variant() + ": " + note))
                .toList();
    }

    /** The kind of its process: broker, worker, gateway, channel. */
    String role() {
        return result.process().replaceFirst("-\\d+$", "");
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

    /** The scale of several profiles of one trial together, which are of the same event. */
    static ProfileScale scale(List<ShownProfile> together) {
        ShownProfile one = together.get(0);
        return ProfileScale.of(
                one.result.event(),
                one.result.perUnit(),
                sum(together.stream().map(profile -> profile.result.total())),
                sum(together.stream().map(profile -> profile.result.samples())),
                one.trial.contents().records(),
                one.trial.contents().seconds());
    }

    private static long sum(Stream<Long> counts) {
        return counts.mapToLong(Long::longValue).sum();
    }

    /** How it was taken. */
    String taken() {
        String looked = result.event() == ProfileSpec.Event.CPU
                ? String.format(
                        Locale.ROOT, "by %s, every %.0f ms of CPU time", result.engine(), result.perUnit() * 1e3)
                : result.event() == ProfileSpec.Event.WALL
                        ? String.format(Locale.ROOT, "by %s, every %.0f ms", result.engine(), result.perUnit() * 1e3)
                        : result.engine();
        return String.format(
                Locale.ROOT,
                "%s, %s: %,d samples in %.1f s",
                result.tool(),
                looked,
                result.samples(),
                trial.contents().seconds());
    }
}
