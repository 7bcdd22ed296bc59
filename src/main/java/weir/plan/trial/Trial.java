package weir.plan.trial;

import weir.plan.Variant;

/**
 * One measured pass of one variant. {@code number} counts the trials of the run in order, {@code repeat} those of the
 * variant, both from 1; those of searches and those that are profiled are counted by themselves, and what only heats before
 * a search has no number.
 *
 * @param search what the trial is tried for: {@code capacity}, or {@code profile}; empty for one that answers by itself
 */
public record Trial(int number, Variant variant, int repeat, String search) {
    public Trial(int number, Variant variant, int repeat) {
        this(number, variant, repeat, "");
    }

    /** The folder's name: {@code 03-lz4-2}. */
    public String id() {
        return String.format("%02d-%s-%d", number, variant.name().replace('/', '_'), repeat);
    }

    /** The number as part of a name that no other trial of the run has. */
    public String tag() {
        return search.isEmpty() ? String.valueOf(number) : search + "-" + number;
    }

    public boolean searches() {
        return !search.isEmpty() && !profiled();
    }

    /** True when a profiler looks at it, so that nothing is measured. */
    public boolean profiled() {
        return search.equals(ProfiledTrials.PROFILE);
    }

    /** True for those whose figures answer the question of the experiment. */
    public boolean answers() {
        return search.isEmpty();
    }

    /** Before a search, so that nothing is cold. */
    public static Trial heating(Variant variant, int pass, String search) {
        return new Trial(0, variant, pass, search);
    }

    public boolean heats() {
        return number == 0;
    }
}
