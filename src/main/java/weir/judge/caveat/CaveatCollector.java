package weir.judge.caveat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;

/** The collector of the caveats of one trial or, without a trial, of the whole run. */
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

    public void addIf(boolean doubtful, String kind, CaveatType type, Object... values) {
        if (doubtful) {
            addAs(kind, type, values);
        }
    }

    public void add(CaveatType type, Object... values) {
        addAs("", type, values);
    }

    public void addAs(String kind, CaveatType type, Object... values) {
        CaveatType.Evidence evidence = type.evidence(kind);
        found(
                type,
                String.format(Locale.ROOT, evidence.says(), values),
                String.format(Locale.ROOT, evidence.weakens(), values));
    }

    public void found(CaveatType type, String evidence, String weakens) {
        Caveat caveat = Caveat.of(type, trial, evidence);
        found.add(weakens.isEmpty() ? caveat : caveat.weakening(weakens));
    }

    /** Lowers accepted caveats by one level and adds the experiment's reason. */
    public static List<Caveat> accept(List<Caveat> caveats, SortedMap<String, String> accepted) {
        return caveats.stream()
                .map(caveat -> {
                    @Nullable String reason = accepted.get(caveat.type());
                    return reason == null ? caveat : caveat.accepted(reason);
                })
                .toList();
    }
}
