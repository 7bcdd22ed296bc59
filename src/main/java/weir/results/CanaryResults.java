package weir.results;

import java.util.ArrayList;
import java.util.List;
import weir.measure.Canary;

/** The machine benchmarks before and after a run: {@code canaries.json}. A list is empty without benchmarks. */
public record CanaryResults(List<Canary> before, List<Canary> after) {
    public static final CanaryResults NONE = new CanaryResults(List.of(), List.of());

    public CanaryResults {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    public record Pair(Canary before, Canary after) {
        public boolean drifted() {
            return after.differs(before);
        }

        public String verdict() {
            return drifted() ? "another" : after.counts(before) ? "unknown: the intervals overlap" : "the same";
        }
    }

    public List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (Canary first : before) {
            after.stream().filter(first::same).findFirst().ifPresent(second -> pairs.add(new Pair(first, second)));
        }
        return pairs;
    }

    public List<Pair> drifted() {
        return pairs().stream().filter(Pair::drifted).toList();
    }
}
