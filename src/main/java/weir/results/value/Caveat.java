package weir.results.value;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.plan.syntax.CaveatType;

/** A named reason to doubt a figure; {@code weakens} names the figure. A caveat without a trial is about the whole run. */
public record Caveat(
        String type,
        CaveatType.Level level,
        String evidence,
        String advice,
        String weakens,
        @Nullable Integer trial) {
    public static final CaveatType INTERRUPTED = CaveatType.named("interrupted");

    public static Caveat of(CaveatType type, @Nullable Integer trial, String evidence) {
        return new Caveat(type.word(), type.level(), evidence, type.advice(), type.weakens(), trial);
    }

    /** Sorts by level, the worst first, and within a level in the order of {@code caveats.yaml}. */
    public static List<Caveat> severestFirst(List<Caveat> caveats) {
        return caveats.stream()
                .sorted(Comparator.comparing(Caveat::level).reversed().thenComparingInt(Caveat::place))
                .toList();
    }

    private int place() {
        int place = CaveatType.words().indexOf(type);
        return place < 0 ? CaveatType.ALL.size() : place;
    }

    public Caveat weakening(String figures) {
        return new Caveat(type, level, evidence, advice, figures, trial);
    }

    public boolean is(CaveatType other) {
        return type.equals(other.word());
    }

    /** True if a search must not accept a rate whose trial has this caveat. */
    public boolean refuses() {
        return CaveatType.ALL.stream().anyMatch(one -> one.refuses() && is(one));
    }

    public Caveat accepted(String reason) {
        return new Caveat(type, level.lowered(), evidence + " (accepted: " + reason + ")", advice, weakens, trial);
    }
}
