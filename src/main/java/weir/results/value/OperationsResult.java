package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * Operations that are more than single records, and what their parts took; the last is null for a single step.
 *
 * @param count of operations that ended well
 * @param perSecond those that ended well while the load ran
 * @param transaction all parts of one together; without transactions those of an operation
 * @param fetch what a stream waited for records, outside its operations
 */
public record OperationsResult(
        long count,
        @Nullable Double perSecond,
        LatencyResult begin,
        LatencyResult send,
        LatencyResult offsets,
        LatencyResult commit,
        LatencyResult abort,
        LatencyResult transaction,
        LatencyResult fetch,
        @Nullable AtomicityResult atomicity) {

    /** A part by its word. */
    public LatencyResult part(String word) {
        return switch (word) {
            case "begin" -> begin;
            case "send" -> send;
            case "offsets" -> offsets;
            case "commit" -> commit;
            case "abort" -> abort;
            case "transaction" -> transaction;
            case "fetch" -> fetch;
            default -> throw new IllegalArgumentException("'" + word + "' is no part of an operation");
        };
    }
}
