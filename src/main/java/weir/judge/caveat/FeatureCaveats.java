package weir.judge.caveat;

import weir.feature.Feature;
import weir.judge.TrialFiles;
import weir.results.TrialFolder;
import weir.results.value.TrialResult;

/** The caveats that the code of a feature raises, and the losses that it explains. */
public interface FeatureCaveats extends Feature.Part {
    /** Adds the caveats of one trial. If the trial ended before its measured phase, it has no steps. */
    default void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {}

    default void ofRun(RunCaveats run) {}

    /** Returns the number of records that the feature dropped on request; these are not lost by Kafka. */
    default long dropped(TrialFolder folder) {
        return 0;
    }
}
