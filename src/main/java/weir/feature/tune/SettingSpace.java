package weir.feature.tune;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The points of a settings search. An axis is a setting with its values; a point has one value of each axis. */
final class SettingSpace {
    private static final int MOST_POINTS = 2_000;

    private static final int DRAWS_A_POINT = 10;

    private static final double DECAY = 2;

    private final List<Axis> axes;

    private final double[][][] similarities;

    private final List<Point> points;

    /**
     * @param path of the setting
     * @param values as text; in rising order if {@code scale} is true
     * @param scale true for numbers, for which neighbouring values behave similarly
     */
    record Axis(String path, List<String> values, boolean scale) {
        public Axis {
            values = List.copyOf(values);
            if (values.size() < 2) {
                throw new IllegalArgumentException(
                        "an axis needs at least two values, found " + values + " for '" + path + "'");
            }
        }

        static Axis of(String path, List<String> values) {
            boolean scale = values.stream().allMatch(value -> value.matches("-?[0-9]{1,18}(\\.[0-9]{1,9})?"));
            return new Axis(
                    path,
                    scale
                            ? values.stream()
                                    .sorted(Comparator.comparing(BigDecimal::new))
                                    .toList()
                            : values,
                    scale);
        }

        private double[][] similarities() {
            double[][] similarities = new double[values.size()][values.size()];
            for (int a = 0; a < similarities.length; a++) {
                for (int b = 0; b < similarities.length; b++) {
                    double far = DECAY * Math.abs(a - b) / (values.size() - 1);
                    similarities[a][b] = a == b ? 1 : scale ? Math.exp(-far) : 0;
                }
            }
            return similarities;
        }
    }

    record Point(List<Integer> values) {
        public Point {
            values = List.copyOf(values);
        }
    }

    /**
     * Creates the points of these axes, or a random part of too many points.
     *
     * @param allowed true for a point whose settings a client accepts
     * @param first points that are always included
     */
    SettingSpace(List<Axis> axes, Predicate<Point> allowed, List<Point> first, Random random) {
        this.axes = List.copyOf(axes);
        this.similarities = axes.stream().map(Axis::similarities).toArray(double[][][]::new);
        double all = axes.stream().mapToDouble(axis -> axis.values().size()).reduce(1, (x, y) -> x * y);
        Stream<Point> others = all <= MOST_POINTS
                ? every((int) all).stream()
                : random.longs((long) MOST_POINTS * DRAWS_A_POINT).mapToObj(seed -> any(new Random(seed)));
        this.points = Stream.concat(first.stream(), others)
                .distinct()
                .filter(allowed)
                .limit(MOST_POINTS)
                .toList();
    }

    private List<Point> every(int all) {
        List<Point> every = new ArrayList<>();
        for (int number = 0; number < all; number++) {
            List<Integer> values = new ArrayList<>();
            int rest = number;
            for (Axis axis : axes) {
                values.add(rest % axis.values().size());
                rest /= axis.values().size();
            }
            every.add(new Point(values));
        }
        return every;
    }

    private Point any(Random random) {
        return new Point(
                axes.stream().map(axis -> random.nextInt(axis.values().size())).toList());
    }

    List<Axis> axes() {
        return axes;
    }

    List<Point> points() {
        return points;
    }

    /**
     * Returns points in which every value of an axis occurs about equally often (McKay, Beckman and Conover 1979). The
     * most similar allowed point replaces a point that is not allowed.
     */
    List<Point> latinHypercube(int count, Random random) {
        List<List<Integer>> columns = new ArrayList<>();
        for (Axis axis : axes) {
            List<Integer> column = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                column.add(i * axis.values().size() / count);
            }
            Collections.shuffle(column, random);
            columns.add(column);
        }
        List<Point> chosen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int row = i;
            nearest(new Point(columns.stream().map(column -> column.get(row)).toList()), chosen)
                    .forEach(chosen::add);
        }
        return chosen;
    }

    List<Point> nearest(Point wanted, List<Point> excluded) {
        return points.stream()
                .filter(point -> !excluded.contains(point))
                .max(Comparator.comparingDouble(point -> similarity(point, wanted)))
                .stream()
                .toList();
    }

    private double similarity(Point a, Point b) {
        double sum = 0;
        for (int axis = 0; axis < axes.size(); axis++) {
            sum += similarity(axis, a, b);
        }
        return sum;
    }

    double similarity(int axis, Point a, Point b) {
        return similarities[axis][a.values().get(axis)][b.values().get(axis)];
    }
}
