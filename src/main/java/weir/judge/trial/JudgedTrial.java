package weir.judge.trial;

import java.util.List;
import weir.results.TrialFolder;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;

/** The result of a trial, and the reasons to doubt it. */
public record JudgedTrial(TrialResult result, List<Caveat> caveats) {
    public JudgedTrial {
        caveats = List.copyOf(caveats);
    }

    /** The judgement that was written down when the trial ended; one that was killed is judged now. */
    public static JudgedTrial of(TrialFolder folder) {
        return folder.finished() ? new JudgedTrial(folder.result(), folder.caveats()) : new TrialJudge(folder).judged();
    }
}
