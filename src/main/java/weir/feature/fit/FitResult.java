package weir.feature.fit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import weir.results.RunResult.ModelResult;
import weir.results.value.NumberFormat;

/**
 * The cost of a transaction in milliseconds: a fixed cost, and a cost per unit of each setting in {@code by}.
 *
 * @param terms the fixed cost, then the cost per unit of each setting in {@code by}; empty without a fit
 * @param note reason why there is no fit; empty with a fit
 */
public record FitResult(
        String of,
        List<String> by,
        double overhead,
        List<Term> terms,
        List<Cell> cells,
        List<Smallest> smallest,
        @Nullable Double explained,
        String note)
        implements ModelResult {
    /** The relative error of a cell's mean cost above which the model does not describe the cell. */
    public static final double FAR = 0.2;

    public FitResult {
        by = List.copyOf(by);
        terms = List.copyOf(terms);
        cells = List.copyOf(cells);
        smallest = List.copyOf(smallest);
    }

    public record Term(
            String name,
            double millis,
            @Nullable Double low,
            @Nullable Double high) {
        public String text() {
            return figure(millis) + " ms" + NumberFormat.interval(low, high, Term::figure);
        }

        private static String figure(double millis) {
            return Math.abs(millis) >= 0.1 || millis == 0
                    ? NumberFormat.number(millis)
                    : String.format(Locale.ROOT, "%.2g", millis);
        }
    }

    public record Cell(List<Double> counts, int trials, double millis, double fitted) {
        public Cell {
            counts = List.copyOf(counts);
        }

        public double off() {
            return millis / fitted - 1;
        }

        public boolean far() {
            return !(Math.abs(off()) <= FAR);
        }
    }

    /** The smallest first count, at these other counts, for which the rest of the cost is small enough. */
    public record Smallest(
            List<Double> others,
            @Nullable Double count,
            @Nullable Double low,
            @Nullable Double high,
            boolean beyond) {
        public Smallest {
            others = List.copyOf(others);
        }

        public String text() {
            return written(count);
        }

        public String interval() {
            return NumberFormat.interval(low, high, Smallest::written).strip();
        }

        private static String written(@Nullable Double count) {
            return count == null
                    ? NumberFormat.MISSING
                    : NumberFormat.number(new BigDecimal(Math.ceil(count))
                            .round(new MathContext(3, RoundingMode.UP))
                            .doubleValue());
        }
    }

    @Override
    public boolean found() {
        return !terms.isEmpty();
    }

    public static String word(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    public static String one(String path) {
        String word = word(path);
        return word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
    }

    public String what() {
        return of.equals("transaction") ? "a transaction" : "the part " + of + " of a transaction";
    }

    @Override
    public List<String> sentences() {
        if (terms.isEmpty()) {
            return List.of("No model of the cost of a transaction: " + note + ".");
        }
        List<String> sentences = new ArrayList<>();
        List<String> more = new ArrayList<>();
        for (int i = 0; i < by.size(); i++) {
            more.add(terms.get(i + 1).text() + " for each " + one(by.get(i)));
        }
        sentences.add(NumberFormat.capital(what()) + " costs " + terms.get(0).text() + ", and "
                + NumberFormat.listed(more) + ".");
        for (Smallest at : smallest.isEmpty() ? smallest : List.of(smallest.get(smallest.size() - 1))) {
            sentences.add(smallest(at));
        }
        long far = cells.stream().filter(Cell::far).count();
        if (far > 0) {
            sentences.add("The model misses the measured cost by more than " + Math.round(FAR * 100) + " % in " + far
                    + " of " + cells.size() + " cells.");
        }
        return sentences;
    }

    public String smallest(Smallest at) {
        List<String> where = new ArrayList<>();
        for (int i = 0; i < at.others().size(); i++) {
            double others = at.others().get(i);
            where.add(NumberFormat.number(others) + " " + (others == 1 ? one(by.get(i + 1)) : word(by.get(i + 1))));
        }
        String with = where.isEmpty() ? "" : "with " + NumberFormat.listed(where) + ", ";
        if (at.count() == null) {
            return NumberFormat.capital(with
                    + "no size of a transaction makes the overhead small, because no cost grows measurably with the "
                    + word(by.get(0)) + ".");
        }
        String interval = at.interval().isEmpty() ? "" : " " + at.interval();
        return NumberFormat.capital(
                with + "a transaction needs " + at.text() + interval + " " + word(by.get(0)) + " for an overhead of "
                        + NumberFormat.share(overhead) + " of the cost of its " + word(by.get(0))
                        + (at.beyond() ? ", beyond the measured sizes." : "."));
    }
}
