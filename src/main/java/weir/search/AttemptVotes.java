package weir.search;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.results.value.Attempt;
import weir.results.value.Attempt.Outcome;

/**
 * The votes of trials on one rate: sustained or refused. Two votes that agree decide, so three trials are enough. A
 * longer trial, which confirms the answer, decides with a single vote. A disturbed trial has no vote.
 *
 * @param ours the number of refusals that the generator caused
 * @param lasts the number of sustained confirming trials minus the number of refused confirming trials
 * @param why the newest reason for a refusal, preferably of a confirming trial
 */
record AttemptVotes(double rate, int sustained, int refused, int ours, int lasts, String why) {
    private static final int DECIDE = 2;

    static Collection<AttemptVotes> of(List<Attempt> tried) {
        SortedMap<Double, AttemptVotes> votes = new TreeMap<>();
        for (Attempt one : tried) {
            add(votes, one);
        }
        return votes.values();
    }

    static void add(SortedMap<Double, AttemptVotes> votes, Attempt one) {
        if (one.outcome() == Outcome.DISTURBED) {
            return;
        }
        AttemptVotes before = votes.getOrDefault(one.rate(), new AttemptVotes(one.rate(), 0, 0, 0, 0, ""));
        votes.put(one.rate(), before.with(one));
    }

    private AttemptVotes with(Attempt one) {
        boolean holds = one.outcome() == Outcome.SUSTAINED;
        int confirms = !one.confirmation() ? 0 : holds ? 1 : -1;
        return new AttemptVotes(
                rate,
                sustained + (holds ? 1 : 0),
                refused + (holds ? 0 : 1),
                ours + (one.outcome() == Outcome.OURS ? 1 : 0),
                lasts + confirms,
                holds || (lasts < 0 && confirms == 0) ? why : one.why());
    }

    boolean decided() {
        return lasts != 0 || (Math.max(sustained, refused) >= DECIDE && sustained != refused);
    }

    boolean holds() {
        return lasts == 0 ? sustained > refused : lasts > 0;
    }

    boolean tied() {
        return lasts == 0 && sustained == refused;
    }

    boolean byUs() {
        return !holds() && !tied() && 2 * ours > refused;
    }
}
