package weir.plan;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** When operations are due. */
public sealed interface RateSpec {
    /** True when operations are due when an earlier one is done, so that there is no schedule. */
    default boolean closed() {
        return this instanceof Max || this instanceof AtATime;
    }

    /** Returns the names by which {@code during} can refer to its steps: the distinct rates of all steps. */
    default List<String> names() {
        if (this instanceof Steps s) {
            return s.steps().stream().map(step -> step.rate().text()).distinct().toList();
        }
        return this instanceof Fixed f ? List.of(f.rate().text()) : List.of();
    }

    /** A closed loop: as fast as the client takes them. */
    record Max() implements RateSpec {}

    /** A closed loop with so many operations in flight per producer. */
    record AtATime(int operations) implements RateSpec {
        public AtATime {
            if (operations < 1) {
                throw new IllegalArgumentException("a closed loop needs at least one at a time, got " + operations);
            }
        }
    }

    /** The same rate all the time, of the whole load or of each producer. */
    record Fixed(Rate rate, boolean perProducer) implements RateSpec {}

    /** A share of what the capacity search found. */
    record OfCapacity(Ratio share) implements RateSpec {}

    /** One rate after the other; {@code rest} is the silence between two of them, zero for none. */
    record Steps(List<Step> steps, Duration rest, boolean stopWhenBroken) implements RateSpec {
        public Steps {
            steps = List.copyOf(steps);
            if (steps.isEmpty()) {
                throw new IllegalArgumentException("steps need at least one step");
            }
        }
    }

    /** A rate held for a while; a rate of zero is silence. */
    record Step(Rate rate, boolean perProducer, Duration length) {}

    /** A rate that moves evenly from one value to another, and then holds the last. */
    record Ramp(Rate from, Rate to, Duration over) implements RateSpec {}

    /** Independent arrivals: exponential gaps with this mean rate. */
    record Poisson(Rate rate) implements RateSpec {}

    /** So many operations at once, again after every interval. */
    record Burst(long operations, Duration every) implements RateSpec {}

    /** The rates of a file of {@code seconds,rps} lines. */
    record Replay(Path file) implements RateSpec {}
}
