package weir.search;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.results.Tried;
import weir.results.Tried.Outcome;

/**
 * How often one rate held and how often it did not: best of three, so that two alike decide.
 *
 * @param ours how many of the refusals were the generator's
 * @param why the newest reason of a refusal
 */
record Votes(double rate, int held, int refused, int ours, String why) {
    private static final int DECIDE = 2;

    /** By rate, the lowest first. */
    static Collection<Votes> of(List<Tried> tried) {
        SortedMap<Double, Votes> votes = new TreeMap<>();
        for (Tried one : tried) {
            Votes before = votes.getOrDefault(one.rate(), new Votes(one.rate(), 0, 0, 0, ""));
            votes.put(one.rate(), before.with(one));
        }
        return votes.values();
    }

    private Votes with(Tried one) {
        boolean holds = one.outcome() == Outcome.HELD;
        return new Votes(
                rate,
                held + (holds ? 1 : 0),
                refused + (holds ? 0 : 1),
                ours + (one.outcome() == Outcome.OURS ? 1 : 0),
                holds ? why : one.why());
    }

    boolean decided() {
        return Math.max(held, refused) >= DECIDE && held != refused;
    }

    boolean holds() {
        return held > refused;
    }

    boolean tied() {
        return held == refused;
    }

    /** Whether it was mostly the generator that could not. */
    boolean byUs() {
        return refused > held && 2 * ours > refused;
    }
}
