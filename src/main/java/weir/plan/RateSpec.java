package weir.plan;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The rate of a load, which determines the due times of operations. */
public sealed interface RateSpec {
    /** The end, in nanoseconds, of an endless part. */
    long NEVER = Long.MAX_VALUE;

    /** True if there is no schedule, because each operation becomes due when an earlier operation ends. */
    default boolean closed() {
        return this instanceof Max || this instanceof AtATime;
    }

    /** The notation in experiment files: {@code one at a time}, {@code 50k/s per producer}. */
    String text();

    /** The names of steps for {@code during}: the distinct rates of all steps. */
    default List<String> names() {
        return List.of();
    }

    default List<Step> steps() {
        return List.of();
    }

    default boolean timed() {
        return this instanceof Steps || this instanceof Replay;
    }

    default boolean ofCapacity() {
        return this instanceof OfCapacity;
    }

    /** True if the rate is constant as a whole or in each step. */
    default boolean even() {
        return this instanceof Fixed || this instanceof Steps;
    }

    /** True if the load should be the same in every second. */
    default boolean level() {
        return !(this instanceof Ramp || this instanceof Burst || this instanceof Replay || steps().size() > 1);
    }

    default boolean readable() {
        return true;
    }

    /** The total length of all steps; zero if the rate has no length. */
    default Duration length() {
        return Duration.ZERO;
    }

    /** The highest operations per second; infinite without a limit. */
    default double highest(Senders senders) {
        return parts(senders).stream().mapToDouble(Part::perSecond).max().orElse(Double.POSITIVE_INFINITY);
    }

    /** The mean operations per second; NaN without a rate or a length. */
    default double mean(Senders senders, long lengthNanos) {
        List<Part> parts = parts(senders);
        if (parts.size() == 1 && parts.get(0).endNanos() == NEVER) {
            return parts.get(0).perSecond();
        }
        if (parts.isEmpty() || lengthNanos == NEVER) {
            return Double.NaN;
        }
        return Part.held(parts, lengthNanos).stream()
                        .mapToDouble(Part::operations)
                        .sum()
                * 1e9
                / lengthNanos;
    }

    default List<Part> parts(Senders senders) {
        return List.of();
    }

    /** A period with a constant rate, in nanoseconds. */
    record Part(int step, long startNanos, long endNanos, double perSecond) {
        public double operations() {
            return perSecond * (endNanos - startNanos) / 1e9;
        }

        public static List<Part> held(List<Part> parts, long endNanos) {
            List<Part> held = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                Part part = parts.get(i);
                boolean last = i == parts.size() - 1;
                if (part.startNanos < endNanos) {
                    long end = last ? endNanos : Math.min(part.endNanos, endNanos);
                    held.add(new Part(part.step, part.startNanos, end, part.perSecond));
                }
            }
            return held.isEmpty() ? List.of(new Part(0, 0, endNanos, 0)) : held;
        }
    }

    /** The clients that share a rate, and the bytes of an operation, which convert a byte rate to operations. */
    record Senders(int count, double meanBytes) {
        public double operations(Rate rate, boolean perProducer) {
            double operations = rate.unit() == Rate.Unit.BYTES ? rate.perSecond() / meanBytes : rate.perSecond();
            return perProducer ? operations * count : operations;
        }
    }

    record Max() implements RateSpec {
        @Override
        public String text() {
            return "max";
        }
    }

    record AtATime(int operations) implements RateSpec {
        public AtATime {
            if (operations < 1) {
                throw new IllegalArgumentException(
                        "a closed loop must have at least 1 operation at a time, found " + operations);
            }
        }

        @Override
        public String text() {
            return (operations == 1 ? "one" : operations) + " at a time";
        }
    }

    record Fixed(Rate rate, boolean perProducer) implements RateSpec {
        @Override
        public String text() {
            return rate.text() + (perProducer ? " per producer" : "");
        }

        @Override
        public List<String> names() {
            return List.of(rate.text());
        }

        @Override
        public List<Part> parts(Senders senders) {
            return List.of(new Part(0, 0, NEVER, senders.operations(rate, perProducer)));
        }
    }

    record OfCapacity(Ratio share) implements RateSpec {
        @Override
        public String text() {
            return plain(share.share() * 100) + "% of capacity";
        }
    }

    /** A sequence of rates; {@code rest} is the pause between two steps, zero for none. */
    record Steps(List<Step> steps, Duration rest, boolean stopWhenBroken) implements RateSpec {
        public Steps {
            steps = List.copyOf(steps);
            if (steps.isEmpty()) {
                throw new IllegalArgumentException("steps must have at least one step");
            }
        }

        @Override
        public String text() {
            return steps.size() + " steps";
        }

        @Override
        public List<String> names() {
            return steps.stream().map(step -> step.rate().text()).distinct().toList();
        }

        @Override
        public Duration length() {
            return steps.stream().map(Step::length).reduce(rest.multipliedBy(steps.size() - 1L), Duration::plus);
        }

        @Override
        public List<Part> parts(Senders senders) {
            List<Part> parts = new ArrayList<>();
            long start = 0;
            for (Step step : steps) {
                long end = Math.addExact(start, step.length().toNanos());
                parts.add(new Part(parts.size(), start, end, senders.operations(step.rate(), step.perProducer())));
                start = Math.addExact(end, rest.toNanos());
            }
            return parts;
        }
    }

    /** One rate for some time; a rate of zero is a pause. */
    record Step(Rate rate, boolean perProducer, Duration length) {
        public String text() {
            return new Fixed(rate, perProducer).text();
        }
    }

    /** A rate that changes linearly from one value to another and then stays at the last value. */
    record Ramp(Rate from, Rate to, Duration over) implements RateSpec {
        @Override
        public String text() {
            return "ramp " + from.text() + " to " + to.text();
        }

        @Override
        public Duration length() {
            return over;
        }

        @Override
        public double highest(Senders senders) {
            return Math.max(senders.operations(from, false), senders.operations(to, false));
        }

        @Override
        public double mean(Senders senders, long lengthNanos) {
            if (lengthNanos == NEVER) {
                return Double.NaN;
            }
            double whole = over.toNanos() / 1e9;
            double seconds = lengthNanos / 1e9;
            double begin = senders.operations(from, false);
            double end = senders.operations(to, false);
            double inRamp = Math.min(seconds, whole);
            double at = whole == 0 ? end : begin + (end - begin) * inRamp / whole;
            return ((begin + at) / 2 * inRamp + end * (seconds - inRamp)) / seconds;
        }
    }

    /** Independent arrivals: exponential gaps with this mean rate. */
    record Poisson(Rate rate) implements RateSpec {
        @Override
        public String text() {
            return "poisson " + rate.text();
        }

        @Override
        public double highest(Senders senders) {
            return senders.operations(rate, false);
        }

        @Override
        public double mean(Senders senders, long lengthNanos) {
            return highest(senders);
        }
    }

    record Burst(long operations, Duration every) implements RateSpec {
        @Override
        public String text() {
            return "burst " + operations + " every " + plain(every.toNanos() / 1e9) + "s";
        }

        @Override
        public double highest(Senders senders) {
            return operations * 1e9 / every.toNanos();
        }

        /** Counts operations when they are due, and so the whole last burst. */
        @Override
        public double mean(Senders senders, long lengthNanos) {
            return lengthNanos == NEVER
                    ? highest(senders)
                    : operations * Math.ceil(lengthNanos / (double) every.toNanos()) * 1e9 / lengthNanos;
        }
    }

    record Replay(Path file) implements RateSpec {
        @Override
        public String text() {
            return "replay " + file.getFileName();
        }

        @Override
        public boolean readable() {
            return Files.isReadable(file);
        }

        @Override
        public Duration length() {
            List<Part> parts = ReplayedRates.read(file);
            return Duration.ofNanos(parts.get(parts.size() - 1).endNanos());
        }

        @Override
        public List<Part> parts(Senders senders) {
            return ReplayedRates.read(file);
        }
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}
