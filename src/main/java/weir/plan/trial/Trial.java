package weir.plan.trial;

import weir.plan.Variant;

/**
 * One trial of one variant. {@code number} counts the trials of the run, {@code repeat} the trials of the variant, both
 * from 1. Searches and profiled trials have their own counts. A warm-up trial of a search has no number.
 *
 * @param search purpose of the trial: {@code capacity}, {@code profile} …; empty if its figures answer the question of
 *     the experiment
 */
public record Trial(int number, Variant variant, int repeat, String search) {
    public static final String PROFILE = "profile";

    public Trial(int number, Variant variant, int repeat) {
        this(number, variant, repeat, "");
    }

    /** The name of the trial's folder: {@code 03-lz4-2}. */
    public String id() {
        return String.format("%02d-%s-%d", number, variant.name().replaceAll("[/ ]", "_"), repeat);
    }

    public String tag() {
        return search.isEmpty() ? String.valueOf(number) : search + "-" + number;
    }

    public boolean searches() {
        return !search.isEmpty() && !profiled();
    }

    public boolean profiled() {
        return search.equals(PROFILE);
    }

    /** True if the trial's figures answer the question of the experiment. */
    public boolean answers() {
        return search.isEmpty();
    }

    public static Trial warmUp(Variant variant, int pass, String search) {
        return new Trial(0, variant, pass, search);
    }

    public boolean isWarmUp() {
        return number == 0;
    }
}
