package weir.feature.profile;

import weir.judge.TrialFiles;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.FeatureCaveats;
import weir.plan.syntax.CaveatType;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The reasons to doubt the profiles of a trial. */
public final class ProfileCaveats implements FeatureCaveats {
    static final CaveatType PROFILE_TOO_SHORT = CaveatType.named("profile-too-short");
    private static final CaveatType FEW_PROFILER_SAMPLES = CaveatType.named("few-profiler-samples");

    private static final double LEAST = 0.5;
    /** Minimum number of samples of a profile. The standard deviation of 100 samples is 10. */
    private static final long ENOUGH = 100;

    @Override
    public void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {
        for (ProfiledTrial trial : ProfiledTrial.of(files.folder(), result)) {
            trial.contents().asked().stream()
                    .filter(process -> trial.seconds() > 0)
                    .filter(process -> trial.contents().profiles().stream()
                            .noneMatch(profile -> profile.process().equals(process)))
                    .forEach(process -> caveats.add(PROFILE_TOO_SHORT, process, "none", time(trial.seconds())));
            trial.contents().profiles().forEach(profile -> add(trial, profile, caveats));
        }
    }

    static void add(ProfiledTrial trial, ProfileResult profile, CaveatCollector caveats) {
        String name = profile.process() + ", " + profile.event().word();
        if (profile.seconds() < LEAST * trial.seconds()) {
            caveats.add(PROFILE_TOO_SHORT, name, time(profile.seconds()), time(trial.seconds()));
        }
        if (profile.samples() < ENOUGH) {
            caveats.add(FEW_PROFILER_SAMPLES, name, profile.samples(), time(profile.seconds()));
        }
    }

    private static String time(double seconds) {
        return seconds < 1 ? NumberFormat.millis(seconds * 1e3) : NumberFormat.seconds(seconds);
    }
}
