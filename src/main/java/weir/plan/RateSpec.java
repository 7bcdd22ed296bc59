package weir.plan;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** When operations are due. */
public sealed interface RateSpec {
    /** The end of what never ends, in nanoseconds. */
    long NEVER = Long.MAX_VALUE;

    /** True when operations are due when an earlier one is done, so that there is no schedule. */
    default boolean closed() {
        return this instanceof Max || this instanceof AtATime;
    }

    /** The rate as people say it: {@code one at a time}, {@code 50k/s per producer}. */
    String text();

    /** Returns the names by which {@code during} can refer to its steps: the distinct rates of all steps. */
    default List<String> names() {
        return List.of();
    }

    default List<Step> steps() {
        return List.of();
    }

    /** The silence between two steps. */
    default Duration rest() {
        return Duration.ZERO;
    }

    /** True when it has steps or replayed rates, which say how long they last. */
    default boolean timed() {
        return this instanceof Steps || this instanceof Replay;
    }

    default boolean ofCapacity() {
        return this instanceof OfCapacity;
    }

    /** True when the rate is the same all the time, or during each step. */
    default boolean even() {
        return this instanceof Fixed || this instanceof Steps;
    }

    /** True when the load is meant to be the same from the first second to the last. */
    default boolean level() {
        return !(this instanceof Ramp || this instanceof Burst || this instanceof Replay || steps().size() > 1);
    }

    /** False when it is given by a file that cannot be read. */
    default boolean readable() {
        return true;
    }

    /** How long the rates themselves last; zero where they have no length of their own. */
    default Duration length() {
        return Duration.ZERO;
    }

    /** Operations per second at the most; infinite where no rate bounds them. */
    default double highest(Senders senders) {
        return parts(senders).stream().mapToDouble(Part::perSecond).max().orElse(Double.POSITIVE_INFINITY);
    }

    /** Operations per second on average; NaN where no rate or no length is given. */
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

    /** Constant rates, one after the other; none for any other kind of rate. */
    default List<Part> parts(Senders senders) {
        return List.of();
    }

    /** A constant number of operations per second, between two times in nanoseconds. */
    record Part(int step, long startNanos, long endNanos, double perSecond) {
        public double operations() {
            return perSecond * (endNanos - startNanos) / 1e9;
        }

        /** The parts up to an end: the part that begins later is dropped, and the last rate is held. */
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

    /** The clients that a rate is dealt out to, and the bytes of an operation: they turn it into operations. */
    record Senders(int count, double meanBytes) {
        public double operations(Rate rate, boolean perProducer) {
            double operations = rate.unit() == Rate.Unit.BYTES ? rate.perSecond() / meanBytes : rate.perSecond();
            return perProducer ? operations * count : operations;
        }
    }

    /** A closed loop: as fast as the client takes them. */
    record Max() implements RateSpec {
        @Override
        public String text() {
            return "max";
        }
    }

    /** A closed loop with so many operations in flight per producer. */
    record AtATime(int operations) implements RateSpec {
        public AtATime {
            if (operations < 1) {
                throw new IllegalArgumentException("a closed loop needs at least one at a time, got " + operations);
            }
        }

        @Override
        public String text() {
            return (operations == 1 ? "one" : operations) + " at a time";
        }
    }

    /** The same rate all the time, of the whole load or of each producer. */
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

    /** A share of what the capacity search found. */
    record OfCapacity(Ratio share) implements RateSpec {
        @Override
        public String text() {
            return plain(share.share() * 100) + "% of capacity";
        }
    }

    /** One rate after the other; {@code rest} is the silence between two of them, zero for none. */
    record Steps(List<Step> steps, Duration rest, boolean stopWhenBroken) implements RateSpec {
        public Steps {
            steps = List.copyOf(steps);
            if (steps.isEmpty()) {
                throw new IllegalArgumentException("steps need at least one step");
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

    /** A rate held for a while; a rate of zero is silence. */
    record Step(Rate rate, boolean perProducer, Duration length) {
        public String text() {
            return new Fixed(rate, perProducer).text();
        }
    }

    /** A rate that moves evenly from one value to another, and then holds the last. */
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

    /** So many operations at once, again after every interval. */
    record Burst(long operations, Duration every) implements RateSpec {
        @Override
        public String text() {
            return "burst " + operations + " every " + plain(every.toNanos() / 1e9) + "s";
        }

        @Override
        public double highest(Senders senders) {
            return operations * 1e9 / every.toNanos();
        }

        /** Counted as they are due: a length that is no multiple of the interval holds the last one's burst whole. */
        @Override
        public double mean(Senders senders, long lengthNanos) {
            return lengthNanos == NEVER
                    ? highest(senders)
                    : operations * Math.ceil(lengthNanos / (double) every.toNanos()) * 1e9 / lengthNanos;
        }
    }

    /** The rates of a file of {@code seconds,rps} lines. */
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
