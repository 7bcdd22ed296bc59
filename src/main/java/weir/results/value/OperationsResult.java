package weir.results.value;

import org.jspecify.annotations.Nullable;
import weir.measure.Atomicity;

/**
 * Operations that are more than single records.
 *
 * @param count of those that ended well
 * @param perSecond those that ended well while the load ran
 * @param atomicity null for a single step
 */
public record OperationsResult(
        long count, @Nullable Double perSecond, @Nullable Atomicity atomicity) {}
