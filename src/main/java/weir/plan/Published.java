package weir.plan;

/** A ratio that somebody else published: of which comparison, at which statistic. */
public record Published(String source, CompareSpec.Over of, String stat, double ratio) {
    public Published {
        if (!(ratio > 0) || ratio == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("a published ratio is above 0, got " + ratio);
        }
    }
}
