package weir.search;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import weir.results.value.Caveat;

/** The caveats of a search's answer: caveats of the trials, each type once, and caveats of the answer itself. */
public final class AnswerCaveats {
    private final String answer;
    private final Set<String> types = new HashSet<>();
    private final List<Caveat> all = new ArrayList<>();

    /** {@code answer} is the name of the answer in texts, such as {@code capacity of lz4}. */
    public AnswerCaveats(String answer) {
        this.answer = answer;
    }

    public static List<Caveat> cutShort(String figures, String answer, int trials) {
        String evidence =
                "the search for " + answer + " ended early, after " + (trials == 1 ? "one trial" : trials + " trials");
        return List.of(Caveat.of(Caveat.INTERRUPTED, null, evidence).weakening(figures));
    }

    void own(Caveat caveat) {
        types.add(caveat.type());
        all.add(caveat);
    }

    public void add(Caveat caveat) {
        if (types.add(caveat.type())) {
            String trial = caveat.trial() == null ? "" : "trial " + caveat.trial() + " of the search: ";
            all.add(new Caveat(
                    caveat.type(), caveat.level(), trial + caveat.evidence(), caveat.advice(), answer, null));
        }
    }

    public List<Caveat> list() {
        return List.copyOf(all);
    }
}
