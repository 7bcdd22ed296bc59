package weir.feature.profile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.check.Requirements;
import weir.plan.trial.ExtraTrials;
import weir.plan.trial.Trial;

/**
 * The profiled trials: one of each variant, after all others. A profiler uses CPU and slows down its process, so these
 * trials yield no figures.
 */
public final class ProfiledTrials implements ExtraTrials {
    private static final String OF = "profile.of";

    @Override
    public List<Trial> of(Experiment experiment) {
        List<Trial> trials = new ArrayList<>();
        for (ProfileSpec profile : ProfileSpec.of(experiment)) {
            for (Variant variant : experiment.variants()) {
                if (profile.takes(variant) && !experiment.onlySearched(variant) && has(variant, profile.step())) {
                    trials.add(new Trial(trials.size() + 1, during(variant, profile.step()), 1, Trial.PROFILE));
                }
            }
        }
        return trials;
    }

    /** A profile has processes, and all of them are JVMs that Weir starts on this machine. */
    @Override
    public List<Problem> problems(Experiment experiment) {
        List<Problem> problems = new ArrayList<>();
        for (ProfileSpec profile : ProfileSpec.of(experiment)) {
            check(
                    experiment,
                    profile,
                    (path, message) -> problems.add(experiment.places().problem(path, message)));
        }
        return problems;
    }

    private void check(Experiment experiment, ProfileSpec profile, BiConsumer<String, String> wrong) {
        if (profile.of().isEmpty() || profile.what().isEmpty()) {
            wrong.accept(
                    profile.of().isEmpty() ? OF : "profile.what",
                    "names nothing to profile; leave it out for the default, or leave out profile");
            return;
        }
        List<Variant> profiled = of(experiment).stream().map(Trial::variant).toList();
        List<Variant> taken =
                experiment.variants().stream().filter(profile::takes).toList();
        if (profiled.isEmpty() && taken.stream().allMatch(experiment::onlySearched) && !taken.isEmpty()) {
            wrong.accept(
                    "profile",
                    "the variants have no trials of their own, only those of the search; give them a load.rate, such as"
                            + " 50% of capacity");
        } else if (profiled.isEmpty() && !taken.isEmpty()) {
            wrong.accept(
                    "profile.during",
                    "none of the variants that run has a step " + profile.step()
                            + "; write the rate of one of their steps, or leave it out");
        }
        for (ProfileSpec.Role role : ProfileSpec.Role.values()) {
            profiled.stream()
                    .filter(variant ->
                            profile.of(role) && !lacking(role, variant).isEmpty())
                    .findFirst()
                    .ifPresent(
                            variant -> wrong.accept(OF, "variant '" + variant.name() + "': " + lacking(role, variant)));
        }
    }

    private static String lacking(ProfileSpec.Role role, Variant variant) {
        return Requirements.lacking(OF, EnumNames.of(role), variant);
    }

    @Override
    public List<String> leftOut(Experiment experiment) {
        List<String> notes = new ArrayList<>();
        for (ProfileSpec profile : ProfileSpec.of(experiment)) {
            for (Variant variant : experiment.variants()) {
                String why = why(experiment, profile, variant);
                if (!why.isEmpty()) {
                    notes.add("variant '" + variant.name() + "' is not profiled: it " + why);
                }
            }
        }
        return notes;
    }

    private static String why(Experiment experiment, ProfileSpec profile, Variant variant) {
        if (!profile.takes(variant)) {
            return "is not in profile.variants";
        }
        if (experiment.onlySearched(variant)) {
            return "is only searched";
        }
        return has(variant, profile.step()) ? "" : "has no step " + profile.step();
    }

    private static boolean has(Variant variant, String step) {
        return step.isEmpty() || variant.load().rate().names().contains(step);
    }

    /** The variant with only that step after its usual warm-up; of several steps with its rate, the longest. */
    private static Variant during(Variant variant, String step) {
        if (step.isEmpty() || variant.load().rate().steps().isEmpty()) {
            return variant;
        }
        RateSpec.Step only = variant.load().rate().steps().stream()
                .filter(each -> each.rate().text().equals(step))
                .max(Comparator.comparing(RateSpec.Step::length))
                .orElseThrow();
        return variant.with("load.rate", new RateSpec.Steps(List.of(only), Duration.ZERO, false), "profile.during");
    }
}
