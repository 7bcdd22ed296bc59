package weir.results.value;

import java.util.List;

/** The answer of a search that chooses its own trials, as far as it is known. */
public sealed interface SearchResult permits CapacityResult, PartitionsResult, TuneResult {
    /** The variant. */
    String of();

    /** Every trial so far, in its order. */
    List<Attempt> tried();
}
