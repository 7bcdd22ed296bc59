package weir.results;

import java.util.ArrayList;
import java.util.List;
import weir.measure.Canary;

/** The machine benchmarks before a run and after it: {@code canaries.json}. Either list is empty when none were run. */
public record CanaryResults(List<Canary> before, List<Canary> after) {
    public static final CanaryResults NONE = new CanaryResults(List.of(), List.of());

    public CanaryResults {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** The same work, before and after. */
    public record Pair(Canary before, Canary after) {
        /** True when the machine is not the one that it was. */
        public boolean drifted() {
            return after.differs(before);
        }

        /** In words: the machine is the same, another, or nobody knows, as the change counts and the intervals overlap. */
        public String verdict() {
            return drifted() ? "another" : after.counts(before) ? "not known: the intervals overlap" : "the same";
        }
    }

    public List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (Canary first : before) {
            after.stream()
                    .filter(second -> second.name().equals(first.name())
                            && second.unit().equals(first.unit())
                            && second.moreIsBetter() == first.moreIsBetter())
                    .findFirst()
                    .ifPresent(second -> pairs.add(new Pair(first, second)));
        }
        return pairs;
    }

    public List<Pair> drifted() {
        return pairs().stream().filter(Pair::drifted).toList();
    }
}
