package weir.feature.profile;

import java.util.ArrayList;
import java.util.List;
import weir.judge.caveat.CaveatCollector;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;
import weir.results.value.NumberFormat;

/** The reasons to doubt the profiles of a trial. */
public final class ProfileCaveats {
    static final CaveatType PROFILE_TOO_SHORT = CaveatType.named("profile-too-short");
    private static final CaveatType FEW_PROFILER_SAMPLES = CaveatType.named("few-profiler-samples");

    private static final double LEAST = 0.5;
    /** Minimum number of samples of a profile. The standard deviation of 100 samples is 10. */
    private static final long ENOUGH = 100;

    private ProfileCaveats() {}

    public static List<Caveat> of(int trial, ProfiledTrial.Contents contents) {
        List<Caveat> all = new ArrayList<>(missing(trial, contents));
        contents.profiles().forEach(profile -> all.addAll(of(trial, contents, profile)));
        return all;
    }

    public static List<Caveat> of(int trial, ProfiledTrial.Contents contents, ProfileResult profile) {
        CaveatCollector caveats = new CaveatCollector(trial);
        String name = profile.process() + ", " + profile.event().word();
        if (profile.seconds() < LEAST * contents.seconds()) {
            caveats.add(PROFILE_TOO_SHORT, name, time(profile.seconds()), time(contents.seconds()));
        }
        if (profile.samples() < ENOUGH) {
            caveats.add(FEW_PROFILER_SAMPLES, name, profile.samples(), time(profile.seconds()));
        }
        return caveats.found();
    }

    private static String time(double seconds) {
        return seconds < 1 ? NumberFormat.millis(seconds * 1e3) : NumberFormat.seconds(seconds);
    }

    private static List<Caveat> missing(int trial, ProfiledTrial.Contents contents) {
        CaveatCollector caveats = new CaveatCollector(trial);
        contents.asked().stream()
                .filter(process -> contents.seconds() > 0)
                .filter(process -> contents.profiles().stream()
                        .noneMatch(profile -> profile.process().equals(process)))
                .forEach(process -> caveats.add(PROFILE_TOO_SHORT, process, "none", time(contents.seconds())));
        return caveats.found();
    }
}
