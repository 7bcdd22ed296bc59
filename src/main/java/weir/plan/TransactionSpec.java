package weir.plan;

import java.time.Duration;

/** The division of operations into transactions. */
public sealed interface TransactionSpec {
    record None() implements TransactionSpec {}

    /** One transaction for each operation; {@code abort} is the share of transactions to abort on purpose. */
    record Each(Ratio abort) implements TransactionSpec {}

    record Records(long records, Ratio abort) implements TransactionSpec {}

    record Every(Duration interval, Ratio abort) implements TransactionSpec {}

    default boolean none() {
        return this instanceof None;
    }

    default Ratio abort() {
        return new Ratio(0);
    }

    /** The number of records in a transaction; 0 if another condition ends it. */
    default long records() {
        return 0;
    }

    default Duration interval() {
        return Duration.ofNanos(Long.MAX_VALUE);
    }
}
