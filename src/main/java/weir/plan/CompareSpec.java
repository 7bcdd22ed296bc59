package weir.plan;

import java.util.List;

/** Two variants whose difference is asked for. */
public sealed interface CompareSpec {
    /** The variants that it is about, in the order in which they are written. */
    List<String> names();

    /** As it is written in the file. */
    default String text() {
        List<String> names = names();
        return this instanceof Over
                ? String.join(" / ", names)
                : names.get(0) + " from " + names.get(1) + " to " + names.get(2);
    }

    /** The comparison of two names, or the place of the first of three between the others. */
    static CompareSpec of(List<String> names) {
        return names.size() == 2
                ? new Over(names.get(0), names.get(1))
                : new Between(names.get(0), names.get(1), names.get(2));
    }

    /** {@code a / b}. */
    record Over(String a, String b) implements CompareSpec {
        @Override
        public List<String> names() {
            return List.of(a, b);
        }
    }

    /** Where {@code a} lies between {@code from} (0) and {@code to} (1). */
    record Between(String a, String from, String to) implements CompareSpec {
        @Override
        public List<String> names() {
            return List.of(a, from, to);
        }
    }

    /** A ratio that somebody else published: of which comparison, at which statistic. */
    record Published(String source, Over of, String stat, double ratio) {
        public Published {
            if (!(ratio > 0) || ratio == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("a published ratio is above 0, got " + ratio);
            }
        }
    }
}
