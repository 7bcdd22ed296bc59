package weir.plan;

import java.time.Duration;

/** How operations are put into transactions. */
public sealed interface TransactionSpec {
    record None() implements TransactionSpec {}

    /** A transaction for each operation; {@code abort} is the share that is aborted on purpose. */
    record Each(Ratio abort) implements TransactionSpec {}

    record Records(long records, Ratio abort) implements TransactionSpec {}

    record Every(Duration interval, Ratio abort) implements TransactionSpec {}

    default boolean none() {
        return this instanceof None;
    }

    default Ratio abort() {
        return new Ratio(0);
    }

    /** The records that end a transaction; 0 where they do not. */
    default long records() {
        return 0;
    }

    /** How long a transaction stays open, where nothing else ends it. */
    default Duration interval() {
        return Duration.ofNanos(Long.MAX_VALUE);
    }
}
