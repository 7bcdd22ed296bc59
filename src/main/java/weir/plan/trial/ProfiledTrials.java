package weir.plan.trial;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import weir.plan.Experiment;
import weir.plan.ProfileSpec;
import weir.plan.RateSpec;
import weir.plan.Variant;

/**
 * The profiled trials: one of each variant, after all others. A profiler uses CPU and slows down its process, so these
 * trials yield no figures.
 */
public final class ProfiledTrials {
    public static final String PROFILE = "profile";

    private ProfiledTrials() {}

    public static List<Trial> of(Experiment experiment) {
        List<Trial> trials = new ArrayList<>();
        for (ProfileSpec profile : experiment.profiles()) {
            for (Variant variant : experiment.variants()) {
                if (profile.takes(variant) && !experiment.onlySearched(variant) && has(variant, profile.during())) {
                    trials.add(new Trial(trials.size() + 1, during(variant, profile.during()), 1, PROFILE));
                }
            }
        }
        return trials;
    }

    public static List<String> leftOut(Experiment experiment) {
        List<String> notes = new ArrayList<>();
        for (ProfileSpec profile : experiment.profiles()) {
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
        return has(variant, profile.during()) ? "" : "has no step " + profile.during();
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
