package weir.search;

import java.util.List;
import java.util.Optional;
import weir.judge.trial.JudgedTrial;
import weir.plan.Variant;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.SearchResults.SearchResult;

/** The search for the capacity of a cluster that operations change. Its first trial carries out the operations. */
final class ChangedClusterSearch implements AdaptiveSearch {
    private final CapacitySearch after;
    private final Variant variant;
    private final double before;
    private boolean changed;
    private String stuck = "";

    /** @param before the capacity before the operations, in operations per second; 0 if the search found none */
    ChangedClusterSearch(CapacitySearch after, Variant variant, double before) {
        this.after = after;
        this.variant = variant;
        this.before = before;
        if (before == 0 && (variant.rateOmitted() || variant.load().rate().ofCapacity())) {
            stuck = "the search found no capacity, so the operations have no rate and are skipped";
        }
    }

    @Override
    public Next next() {
        Next next = after.next();
        if (next instanceof Next.Done || (changed && stuck.isEmpty())) {
            return next;
        }
        if (!stuck.isEmpty()) {
            return new Next.Stuck(stuck);
        }
        Variant operated = FixedRateVariant.operated(variant, before);
        double rate = operated.load().rate().highest(operated.load().senders());
        return new Next.Run(Trial.warmUp(operated, 0, CapacityResult.METRIC), rate, "");
    }

    @Override
    public Optional<SearchResult> add(JudgedTrial trial) {
        if (changed) {
            return after.add(trial);
        }
        changed = true;
        stuck = trial.interrupted() ? "the operations did not end, so the capacity after them is unknown" : "";
        return Optional.empty();
    }

    @Override
    public SearchResult result() {
        return after.result();
    }

    @Override
    public List<Caveat> caveats() {
        return after.caveats();
    }
}
