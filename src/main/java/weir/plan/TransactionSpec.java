package weir.plan;

import java.time.Duration;

/** How operations are put into transactions. */
public sealed interface TransactionSpec {
    record None() implements TransactionSpec {}

    /** A transaction for each operation; {@code abort} is the share that is aborted on purpose. */
    record Each(Ratio abort) implements TransactionSpec {}

    record Records(long records, Ratio abort) implements TransactionSpec {}

    record Every(Duration interval, Ratio abort) implements TransactionSpec {}
}
