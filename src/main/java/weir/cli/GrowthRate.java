package weir.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * How fast a count grows that never falls, from samples of it. Rates are taken from the first sample that differs from the one before
 * to the last such sample: before, nobody wrote, and after, nobody writes any more. Where it stopped growing, the last of them
 * is left out: the interval in which somebody stopped was not written in as a whole.
 */
final class GrowthRate {
    private final List<Point> points = new ArrayList<>();
    private Point previous = new Point(0, -1);
    private int samples;
    private int unchanged;

    private record Point(double seconds, long count) {}

    /** One sample and its rates; rates are NaN where there are not enough samples yet. */
    record Sample(int number, double seconds, long count, double sincePrevious, double sinceFirst, Line line) {}

    /** A line of least squares through the samples: records per second, and the standard error of that. */
    record Line(double slope, double error) {
        static final Line NONE = new Line(Double.NaN, Double.NaN);
    }

    Sample add(double seconds, long count) {
        Point last = previous;
        Point now = new Point(seconds, count);
        boolean first = last.count() < 0;
        previous = now;
        samples++;
        unchanged = count == last.count() ? unchanged + 1 : 0;
        boolean begun = !points.isEmpty() || (!first && count > last.count());
        if (begun) {
            points.add(now);
        }
        double step = first ? Double.NaN : (count - last.count()) / (seconds - last.seconds());
        return new Sample(samples, seconds, count, step, average(), line());
    }

    /** Samples in a row that found nothing new, once something was found. */
    int idle() {
        return points.isEmpty() ? 0 : unchanged;
    }

    /** The last count. */
    long count() {
        return Math.max(0, previous.count());
    }

    /** All that were taken. */
    int samples() {
        return samples;
    }

    /** Samples that the rates are made from. */
    int growing() {
        return whileGrowing().size();
    }

    double average() {
        List<Point> taken = whileGrowing();
        if (taken.size() < 2) {
            return Double.NaN;
        }
        Point first = taken.get(0);
        Point last = taken.get(taken.size() - 1);
        return (last.count() - first.count()) / (last.seconds() - first.seconds());
    }

    Line line() {
        List<Point> taken = whileGrowing();
        int n = taken.size();
        if (n < 2) {
            return Line.NONE;
        }
        // Sums around the means: epochs and offsets are large, their differences small.
        double meanSeconds =
                taken.stream().mapToDouble(Point::seconds).average().orElse(0);
        double meanCount = taken.stream().mapToDouble(Point::count).average().orElse(0);
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (Point point : taken) {
            double x = point.seconds() - meanSeconds;
            double y = point.count() - meanCount;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        double slope = xy / xx;
        double residual = Math.max(0, yy - slope * xy);
        return new Line(slope, n > 2 ? Math.sqrt(residual / (n - 2) / xx) : Double.NaN);
    }

    private List<Point> whileGrowing() {
        int stopped = points.isEmpty() || unchanged == 0 ? 0 : unchanged + 1;
        return points.subList(0, points.size() - stopped);
    }
}
