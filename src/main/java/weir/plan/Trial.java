package weir.plan;

/** One measured pass of one variant. {@code number} counts the trials of the run in order, {@code repeat} those of the variant, both from 1. */
public record Trial(int number, Variant variant, int repeat) {
    /** The folder's name: {@code 03-lz4-2}. */
    public String id() {
        return String.format("%02d-%s-%d", number, variant.name().replace('/', '_'), repeat);
    }
}
