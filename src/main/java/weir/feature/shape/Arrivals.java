package weir.feature.shape;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import weir.pace.Schedule;
import weir.plan.Rate;

/**
 * The arrivals of a topic's records over time. The class keeps the end offsets, once a second or more rarely, and counts
 * records by their own times in windows of at least 100 ms.
 */
final class Arrivals {
    private static final int MOST_WINDOWS = 6_000;
    private static final int SHORTEST_MILLIS = 100;
    /** The reading ends later than the last regular sample. */
    private static final int SLACK_MILLIS = 10_000;

    private static final int MOST_STEPS = 60;
    /** The mean count of a window from which its variance is meaningful. */
    private static final double LEAST_COUNT = 3;

    /** Records whose clock differs by more than the observation, as a share of all records. */
    private static final double MOST_STRAYS = 0.05;

    private final int windowMillis;
    private final long[] windows;
    private final List<long[]> ends = new ArrayList<>();
    private long strays;
    private long counted;

    Arrivals(Duration length) {
        long millis = length.toMillis() + SLACK_MILLIS;
        this.windowMillis = (int) (SHORTEST_MILLIS * Math.ceil(millis / (double) SHORTEST_MILLIS / MOST_WINDOWS));
        this.windows = new long[(int) Math.ceil(millis / (double) windowMillis)];
    }

    /**
     * The rate of a topic in the experiment language.
     *
     * @param text the value of {@code load.rate}; empty if no record arrived
     * @param stepSeconds the length of all steps; zero if the text is not a list of steps
     */
    record Found(String text, double perSecond, long stepSeconds, List<String> remarks) {
        boolean steps() {
            return stepSeconds > 0;
        }

        String mean() {
            return Arrivals.rate(perSecond);
        }
    }

    /** Counts a record by its time. The first call of {@link #ends} must be earlier. */
    void record(long millis) {
        long window = Math.floorDiv(millis - ends.get(0)[0], windowMillis);
        if (window >= 0 && window < windows.length) {
            windows[(int) window]++;
            counted++;
        } else {
            strays++;
        }
    }

    /** Notes the sum of the end offsets, which must not fall. */
    void ends(long millis, long sum) {
        ends.add(new long[] {millis, sum});
    }

    /** Returns the records per second by offsets. Markers of transactions count as records. */
    double offsetsPerSecond() {
        if (ends.size() < 2) {
            return 0;
        }
        long[] first = ends.get(0);
        long[] last = ends.get(ends.size() - 1);
        return last[0] == first[0] ? 0 : (last[1] - first[1]) * 1e3 / (last[0] - first[0]);
    }

    /**
     * Describes the arrivals.
     *
     * @param whole true if all records were read and have the times of their producers
     * @param data the share of offsets that are records and not markers
     */
    Found found(boolean whole, double data) {
        List<String> remarks = new ArrayList<>();
        boolean clocks = strays > MOST_STRAYS * (strays + counted);
        if (whole && clocks && counted + strays > 0) {
            remarks.add("clock skew: " + Math.round(100.0 * strays / (strays + counted))
                    + "% of the records have a time outside the observation; the rate is that of the offsets");
        }
        return whole && !clocks && counted > 0 ? byTimes(remarks) : byOffsets(data, remarks);
    }

    private Found byOffsets(double data, List<String> remarks) {
        double mean = offsetsPerSecond() * data;
        if (mean == 0) {
            return new Found("", 0, 0, remarks);
        }
        remarks.add("not visible: bursts within a second, because Weir saw the arrivals only as offsets");
        double[] steps = new double[Math.min(MOST_STEPS, ends.size() - 1)];
        double seconds = 0;
        for (int i = 0; i < steps.length; i++) {
            long[] from = ends.get(i * (ends.size() - 1) / steps.length);
            long[] to = ends.get((i + 1) * (ends.size() - 1) / steps.length);
            steps[i] = (to[1] - from[1]) * 1e3 * data / Math.max(1, to[0] - from[0]);
            seconds = (to[0] - from[0]) / 1e3;
        }
        return levels(mean, steps, seconds, 1, remarks);
    }

    private Found byTimes(List<String> remarks) {
        // Records of the first and the last second may be missing, because their batches arrived outside the reading.
        int second = (int) Math.ceil(1e3 / windowMillis);
        long millis = ends.get(ends.size() - 1)[0] - ends.get(0)[0];
        int end = (int) Math.max(1, Math.min(windows.length, millis / windowMillis));
        int cut = end >= 5 * second ? second : 0;
        long[] seen = Arrays.copyOfRange(windows, cut, end - cut);
        double mean = Arrays.stream(seen).sum() * 1e3 / windowMillis / seen.length;
        String burst = burst(seen);
        if (!burst.isEmpty()) {
            return new Found(burst, mean, 0, remarks);
        }
        double perWindow = Arrays.stream(seen).average().orElse(0);
        double[] fine = merged(seen, (int) Math.ceil(LEAST_COUNT / Math.max(perWindow, 1e-6)));
        double dispersion = dispersion(fine);
        int length = (int) Math.max(1, Math.ceil(seen.length / (double) second / MOST_STEPS));
        double[] steps = merged(seen, length * second);
        for (int i = 0; i < steps.length; i++) {
            steps[i] /= length * second * windowMillis / 1e3;
        }
        if (dispersion > 2) {
            remarks.add("arrivals are burstier than a Poisson process: within " + windowMillis
                    + " ms windows the variance is " + Math.round(dispersion) + " times the mean");
        }
        Found found = levels(mean, steps, length, dispersion, remarks);
        return !found.steps() && dispersion >= 0.5 && dispersion <= 2
                ? new Found("{ poisson: " + rate(mean) + " }", mean, 0, remarks)
                : found;
    }

    /**
     * Requested and found arrivals.
     *
     * @param perSecond found
     * @param requested the variance of the records in a window by their mean
     * @param found the same of the records in Kafka
     * @param distance the Kolmogorov–Smirnov distance of the times
     */
    record Comparison(
            int windows, int windowMillis, double perSecond, double requested, double found, double distance) {}

    /** Compares the records of this time with a schedule that begins at its start; both times are in milliseconds. */
    Comparison compare(Schedule schedule, long fromMillis, long toMillis) {
        long origin = ends.get(0)[0];
        int first = (int) Math.max(0, -Math.floorDiv(origin - fromMillis, windowMillis));
        int behind = (int) Math.min(windows.length, (toMillis - origin) / windowMillis);
        int count = Math.max(0, behind - first);
        long[] requested = new long[count];
        for (long due = schedule.next(); due != Schedule.NEVER; due = schedule.next()) {
            long window = Math.floorDiv(fromMillis + due / 1_000_000 - origin, windowMillis) - first;
            if (window >= count) {
                break;
            }
            requested[(int) Math.max(0, window)] += window < 0 ? 0 : 1;
        }
        long[] found = Arrays.copyOfRange(windows, first, first + count);
        double requestedSum = Arrays.stream(requested).sum();
        double foundSum = Arrays.stream(found).sum();
        double distance = 0;
        double ahead = 0;
        for (int i = 0; i < count; i++) {
            ahead += requested[i] / Math.max(1, requestedSum) - found[i] / Math.max(1, foundSum);
            distance = Math.max(distance, Math.abs(ahead));
        }
        return new Comparison(
                count,
                windowMillis,
                foundSum * 1e3 / windowMillis / Math.max(1, count),
                dispersion(merged(requested, 1)),
                dispersion(merged(found, 1)),
                distance);
    }

    private static double[] merged(long[] windows, int each) {
        double[] merged = new double[windows.length / each];
        for (int i = 0; i < merged.length * each; i++) {
            merged[i / each] += windows[i];
        }
        return merged;
    }

    /** The variance of neighbouring counts by their mean: about 1 for Poisson arrivals with any trend. */
    private static double dispersion(double[] counts) {
        double squares = 0;
        for (int i = 1; i < counts.length; i++) {
            squares += Math.pow(counts[i] - counts[i - 1], 2) / 2;
        }
        double mean = Arrays.stream(counts).average().orElse(0);
        return counts.length < 3 || mean == 0 ? 0 : squares / (counts.length - 1) / mean;
    }

    /** Returns a constant rate, or steps if the rates of some steps differ from the mean. */
    private static Found levels(double mean, double[] steps, double seconds, double dispersion, List<String> remarks) {
        double noise = 4 * Math.sqrt(Math.max(1, dispersion) * mean * seconds) / seconds;
        boolean level = Arrays.stream(steps).allMatch(step -> Math.abs(step - mean) <= Math.max(0.1 * mean, noise));
        if (level || steps.length < 2) {
            return new Found(rate(mean), mean, 0, remarks);
        }
        List<Step> found = new ArrayList<>();
        double held = steps[0];
        int count = 0;
        for (double step : steps) {
            if (count > 0 && Math.abs(step - held) > Math.max(0.05 * held, noise / 4)) {
                found.add(Step.of(held, count * seconds));
                count = 0;
            }
            held = (held * count + step) / (count + 1);
            count++;
        }
        found.add(Step.of(held, count * seconds));
        String text = found.stream().map(Step::text).collect(Collectors.joining(", ", "{ steps: [", "] }"));
        return new Found(text, mean, found.stream().mapToLong(Step::seconds).sum(), remarks);
    }

    private record Step(double perSecond, long seconds) {
        static Step of(double perSecond, double seconds) {
            return new Step(perSecond, Math.max(1, Math.round(seconds)));
        }

        String text() {
            return rate(perSecond) + " for " + seconds + "s";
        }
    }

    /** Returns {@code { burst: N every T }} if records come in bursts of one size at equal distances; else empty. */
    private String burst(long[] windows) {
        List<Integer> starts = new ArrayList<>();
        List<Double> sizes = new ArrayList<>();
        for (int i = 1; i < windows.length; i++) {
            if (windows[i] > 0 && windows[i - 1] == 0) {
                starts.add(i);
                sizes.add(0.0);
            }
            if (windows[i] > 0 && !sizes.isEmpty()) {
                sizes.set(sizes.size() - 1, sizes.get(sizes.size() - 1) + windows[i]);
            }
        }
        if (starts.size() < 4) {
            return "";
        }
        // The last burst may continue after the last window.
        double[] complete = sizes.subList(0, sizes.size() - 1).stream()
                .mapToDouble(size -> size)
                .toArray();
        double[] gaps = new double[starts.size() - 1];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = starts.get(i + 1) - starts.get(i);
        }
        double size = Arrays.stream(complete).average().orElse(0);
        double gap = Arrays.stream(gaps).average().orElse(0);
        boolean regular = size >= 5 && gap >= 2 && variation(gaps, gap) <= 0.25 && variation(complete, size) <= 0.5;
        return regular
                ? "{ burst: " + Math.round(size) + " every " + time(Math.round(gap * windowMillis / 10) * 10) + " }"
                : "";
    }

    private static String time(long millis) {
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    private static double variation(double[] values, double mean) {
        return Math.sqrt(Arrays.stream(values)
                        .map(value -> Math.pow(value - mean, 2))
                        .average()
                        .orElse(0))
                / mean;
    }

    /** Three digits are enough, because the error of an observation is larger. */
    static String rate(double perSecond) {
        return Rate.of(BigDecimal.valueOf(perSecond)
                        .round(new MathContext(3))
                        .setScale(3, RoundingMode.HALF_UP)
                        .doubleValue())
                .text();
    }
}
