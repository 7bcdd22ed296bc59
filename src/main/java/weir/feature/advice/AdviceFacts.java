package weir.feature.advice;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import weir.host.kernel.KernelFiles;

/** The facts of a cluster, a host, a Kafka process or a log folder, by the names in {@code advice.yaml}. */
interface AdviceFacts {
    String NUMBER = "-?\\d{1,18}(\\.\\d{1,9})?";

    /** Throws {@link Unknown} with the reason if the fact is unknown. */
    Fact fact(String name);

    /**
     * A fact: a number, a text or a list of names.
     *
     * @param number the number itself, the length of a list, or NaN for a text
     * @param of text for a list that is part of a whole, such as {@code 2 of 3 brokers}; empty for other facts
     */
    record Fact(double number, String text, String of) {
        private static final int NAMED = 3;

        static Fact of(double number) {
            return of(number, whole(number));
        }

        static Fact of(double number, String text) {
            return new Fact(number, text, "");
        }

        static Fact of(String text) {
            return of(Double.NaN, text);
        }

        static Fact of(List<String> names) {
            String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
            return of(names.size(), names.size() > NAMED ? first + " and " + (names.size() - NAMED) + " more" : first);
        }

        static Fact of(List<String> names, int all, String one) {
            Fact some = of(names);
            return new Fact(some.number, some.text, names.size() + " of " + count(all, one));
        }
    }

    final class Unknown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unknown(String why) {
            super(why, null, false, false);
        }
    }

    static String whole(double value) {
        return value >= 1e15 ? "unlimited" : String.format(Locale.ROOT, "%,.0f", value);
    }

    static String count(int count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    static Fact percent(double value) {
        String text = String.format(Locale.ROOT, value < 10 ? "%.1f %%" : "%.0f %%", value);
        return Fact.of(value, text.replace(".0 %", " %"));
    }

    static String gibibytes(double mib) {
        return String.format(Locale.ROOT, "%.1f GiB", mib / 1024);
    }

    static Fact room(long bytes, long usable) {
        if (bytes <= 0 || usable < 0) {
            throw new Unknown("the file system does not report its size");
        }
        Fact share = percent(100.0 * usable / bytes);
        return Fact.of(share.number(), share.text() + " of " + gibibytes(bytes / KernelFiles.MIB));
    }
}
