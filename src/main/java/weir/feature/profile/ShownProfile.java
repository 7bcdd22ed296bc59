package weir.feature.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.ObjLongConsumer;
import weir.judge.caveat.CaveatCollector;
import weir.plan.syntax.CaveatType;
import weir.report.RunView;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;
import weir.results.value.Caveat;
import weir.results.value.NumberFormat;

/** A profile and its trial. The stacks are read each time they are shown. */
record ShownProfile(int number, String variant, ProfiledTrial trial, ProfileResult result, List<Caveat> caveats) {
    ShownProfile {
        caveats = List.copyOf(caveats);
    }

    interface Stacks {
        Stacks ON_DISK = (profile, out) -> profile.trial().stacks(profile.result(), out);

        /** Passes on the stacks; may throw {@link UnreadableRunException}. */
        void read(ShownProfile profile, ObjLongConsumer<String> out);
    }

    static List<ShownProfile> of(RunView run) {
        List<ShownProfile> all = new ArrayList<>();
        for (TrialFolder trial : run.profiled()) {
            for (ProfiledTrial profiled : ProfiledTrial.of(trial)) {
                profiled.contents().profiles().forEach(result -> all.add(of(run, trial.started(), profiled, result)));
            }
        }
        return all;
    }

    private static ShownProfile of(
            RunView run, TrialFolder.Started started, ProfiledTrial profiled, ProfileResult result) {
        CaveatCollector caveats = new CaveatCollector(started.trial());
        ProfileCaveats.add(profiled, result, caveats);
        return new ShownProfile(
                started.trial(),
                started.variant(),
                profiled,
                result,
                CaveatCollector.accept(caveats.found(), run.asked().accepted()));
    }

    StackTree tree(Stacks stacks) {
        StackTree tree = new StackTree();
        stacks.read(this, tree::add);
        return tree;
    }

    static List<String> notes(RunView run) {
        List<String> notes = new ArrayList<>();
        SortedMap<String, String> accepted = run.asked().accepted();
        for (TrialFolder trial : run.profiled()) {
            String variant = trial.started().variant() + ": ";
            CaveatCollector.accept(trial.caveats(), accepted).stream()
                    .filter(caveat -> caveat.is(Caveat.INTERRUPTED) || caveat.level() == CaveatType.Level.INVALID)
                    .forEach(caveat -> notes.add(variant
                            + (caveat.is(Caveat.INTERRUPTED)
                                    ? "the profiled trial was interrupted, so its profiles are incomplete;"
                                            + " --resume records them again"
                                    : "the profiled trial is invalid (" + caveat.type() + ": " + caveat.evidence()
                                            + "), so its profiles may show another load than requested")));
            ProfiledTrial.of(trial)
                    .forEach(profiled -> profiled.contents().notes().forEach(note -> notes.add(variant + note)));
        }
        return notes;
    }

    String role() {
        return role(result.process());
    }

    List<String> doubts() {
        return caveats.stream()
                .map(caveat -> caveat.level().name().toLowerCase(Locale.ROOT) + " " + caveat.type() + ": "
                        + caveat.evidence() + ". " + caveat.advice())
                .toList();
    }

    boolean tooShort() {
        return caveats.stream().anyMatch(caveat -> caveat.is(ProfileCaveats.PROFILE_TOO_SHORT));
    }

    static String role(String process) {
        return process.replaceFirst("-\\d+$", "");
    }

    String event() {
        return result.event().word();
    }

    String title() {
        return variant + ", " + result.process() + ", " + event();
    }

    String page() {
        return String.format(Locale.ROOT, "%02d-%s-%s.html", number, result.process(), event());
    }

    boolean empty() {
        return result.total() == 0;
    }

    double percent(long weight) {
        return empty() ? 0 : 100.0 * weight / result.total();
    }

    boolean costs() {
        boolean guessed = result.event() == ProfileSpec.Event.CPU && result.biased();
        boolean carried = result.event() == ProfileSpec.Event.WALL || trial.records() > 0;
        return !guessed && carried && result.seconds() > 0 && trial.seconds() > 0;
    }

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

    static ProfileScale scale(List<ShownProfile> together) {
        ShownProfile one = together.get(0);
        double seconds = together.stream()
                .mapToDouble(profile -> profile.result.seconds())
                .average()
                .orElseThrow();
        double share = seconds / one.trial.seconds();
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
                one.trial.records() * share,
                seconds);
    }

    String taken() {
        return String.format(
                Locale.ROOT,
                "%s, %s: %,d samples in %s",
                result.tool(),
                result.engine(),
                result.samples(),
                NumberFormat.seconds(result.seconds()));
    }
}
