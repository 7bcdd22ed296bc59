package weir.judge.caveat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;

/** Collects the reasons to doubt the numbers of one trial, or, without a trial, of the whole run. */
public final class CaveatCollector {
    private final @Nullable Integer trial;
    private final List<Caveat> found = new ArrayList<>();

    public CaveatCollector(@Nullable Integer trial) {
        this.trial = trial;
    }

    public List<Caveat> found() {
        return List.copyOf(found);
    }

    boolean have(CaveatType type) {
        return found.stream().anyMatch(caveat -> caveat.is(type));
    }

    /** Adds a caveat that has one kind of evidence, filled with these values. */
    public void add(CaveatType type, Object... values) {
        addAs("", type, values);
    }

    /** Adds a caveat with this kind of evidence of several that its row in {@code caveats.yaml} has. */
    public void addAs(String kind, CaveatType type, Object... values) {
        CaveatType.Evidence evidence = type.evidence(kind);
        Caveat caveat = Caveat.of(type, trial, String.format(Locale.ROOT, evidence.says(), values));
        String figures = String.format(Locale.ROOT, evidence.weakens(), values);
        found.add(figures.isEmpty() ? caveat : caveat.weakening(figures));
    }

    /** Lowers those that the experiment accepts by one level, with its reason. */
    public static List<Caveat> accept(List<Caveat> caveats, SortedMap<String, String> accepted) {
        return caveats.stream()
                .map(caveat -> {
                    @Nullable String reason = accepted.get(caveat.type());
                    return reason == null ? caveat : caveat.accepted(reason);
                })
                .toList();
    }
}
