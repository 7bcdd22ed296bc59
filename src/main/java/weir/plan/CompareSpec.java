package weir.plan;

import java.util.List;

public sealed interface CompareSpec {
    List<String> names();

    default String text() {
        List<String> names = names();
        return this instanceof Over
                ? String.join(" / ", names)
                : names.get(0) + " from " + names.get(1) + " to " + names.get(2);
    }

    static CompareSpec of(List<String> names) {
        return names.size() == 2
                ? new Over(names.get(0), names.get(1))
                : new Between(names.get(0), names.get(1), names.get(2));
    }

    record Over(String a, String b) implements CompareSpec {
        @Override
        public List<String> names() {
            return List.of(a, b);
        }
    }

    /** The position of {@code a} between {@code from} (0) and {@code to} (1). */
    record Between(String a, String from, String to) implements CompareSpec {
        @Override
        public List<String> names() {
            return List.of(a, from, to);
        }
    }

    record Published(String source, Over of, String stat, double ratio) {
        public Published {
            if (!(ratio > 0) || ratio == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("a published ratio must be above 0, found " + ratio);
            }
        }
    }
}
