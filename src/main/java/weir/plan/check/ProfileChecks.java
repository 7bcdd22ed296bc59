package weir.plan.check;

import java.util.ArrayList;
import java.util.List;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.ProfileSpec;
import weir.plan.Variant;
import weir.plan.trial.ProfiledTrials;
import weir.plan.trial.Trial;

/** Checks that a profile has processes, and that all of them are JVMs that Weir starts on this machine. */
public final class ProfileChecks {
    private static final String OF = "profile.of";

    private final Experiment experiment;
    private final List<Problem> problems = new ArrayList<>();

    private ProfileChecks(Experiment experiment) {
        this.experiment = experiment;
    }

    public static List<Problem> of(Experiment experiment) {
        ProfileChecks checks = new ProfileChecks(experiment);
        experiment.profiles().forEach(checks::check);
        return checks.problems;
    }

    private void check(ProfileSpec profile) {
        if (profile.of().isEmpty() || profile.what().isEmpty()) {
            add(
                    profile.of().isEmpty() ? OF : "profile.what",
                    "names nothing to profile; leave it out for the default, or leave out profile");
            return;
        }
        List<Trial> trials = ProfiledTrials.of(experiment);
        if (trials.isEmpty() && experiment.variants().stream().anyMatch(profile::takes)) {
            nothing(profile);
        }
        for (ProfileSpec.Role role : ProfileSpec.Role.values()) {
            trials.stream()
                    .map(Trial::variant)
                    .filter(variant ->
                            profile.of(role) && !lacking(role, variant).isEmpty())
                    .findFirst()
                    .ifPresent(variant -> add(OF, "variant '" + variant.name() + "': " + lacking(role, variant)));
        }
    }

    private void nothing(ProfileSpec profile) {
        boolean searched = experiment.variants().stream().filter(profile::takes).allMatch(experiment::onlySearched);
        if (searched) {
            add(
                    "profile",
                    "the variants have no trials of their own, only those of the search; give them a load.rate, such as"
                            + " 50% of capacity");
        } else {
            add(
                    "profile.during",
                    "none of the variants that run has a step " + profile.during()
                            + "; write the rate of one of their steps, or leave it out");
        }
    }

    private static String lacking(ProfileSpec.Role role, Variant variant) {
        return Requirements.lacking(OF, EnumNames.of(role), variant);
    }

    private void add(String path, String message) {
        problems.add(experiment.places().problem(path, message));
    }
}
