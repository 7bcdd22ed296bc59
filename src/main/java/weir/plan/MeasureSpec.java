package weir.plan;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** The length of the measured phase. */
public sealed interface MeasureSpec {
    record For(Duration length) implements MeasureSpec {}

    /**
     * A number of operations. The phase ends earlier after {@code idle} without a record. If {@code idle} is zero, it
     * ends earlier at the last existing record.
     */
    record Operations(long operations, Duration idle) implements MeasureSpec {
        public Operations(long operations) {
            this(operations, Duration.ZERO);
        }
    }

    record AsLongAsRates() implements MeasureSpec {}

    /** The time until all operations of {@code during} have ended and settled; {@code length} is its upper bound. */
    record UntilSettled(Duration least, Duration usual, Duration length) implements MeasureSpec {}

    default Duration length() {
        return Duration.ZERO;
    }

    /** The least length of a phase that can end before its {@link #length}. */
    default Duration least() {
        return length();
    }

    /** The length for estimates. */
    default Duration usual() {
        return length();
    }

    /** The measured phase with these disturbances: with an operation among them, it lasts until they have settled. */
    default MeasureSpec covering(Collection<DisturbanceSpec> during, ClusterSpec cluster) {
        List<DisturbanceSpec.Operation> operations = during.stream()
                .filter(DisturbanceSpec.Operation.class::isInstance)
                .map(DisturbanceSpec.Operation.class::cast)
                .toList();
        if (operations.isEmpty()) {
            return this instanceof UntilSettled ? new For(least()) : this;
        }
        return counted()
                ? this
                : new UntilSettled(
                        least(),
                        settled(operations, what -> what.usual(cluster)),
                        settled(operations, DisturbanceSpec.Operation::max));
    }

    private Duration settled(
            List<DisturbanceSpec.Operation> operations, Function<DisturbanceSpec.Operation, Duration> length) {
        Duration end = least();
        Duration free = Duration.ZERO;
        for (DisturbanceSpec.Operation what : operations.stream()
                .sorted(Comparator.comparing(DisturbanceSpec::at))
                .toList()) {
            Duration begin = what.alone() ? later(what.at(), free) : what.at();
            Duration done = begin.plus(length.apply(what));
            free = what.alone() ? done : free;
            end = later(end, done.plus(what.settle()));
        }
        return end;
    }

    private static Duration later(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    default long operations() {
        return 0;
    }

    default Duration idle() {
        return Duration.ZERO;
    }

    default boolean counted() {
        return this instanceof Operations;
    }

    default boolean asLongAsRates() {
        return this instanceof AsLongAsRates;
    }
}
